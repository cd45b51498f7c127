# SPDX-License-Identifier: MIT
"""Names the optional parts of the kernel that a system needs: kernel_features.h."""

from __future__ import annotations

from bulkhead_declare import apart, budgets
from bulkhead_declare.model import System


def header(system: System) -> str:
    parts = {
        "BUDGETS": bool(budgets.limited(system)),
        "RIGHTS_APART": apart.is_used(system),
    }
    return "\n".join(
        (
            "// SPDX-License-Identifier: MIT",
            "// Made from the declaration.",
            *(f"#define KERNEL_HAS_{name} {int(has)}" for name, has in parts.items()),
            "",
        )
    )
