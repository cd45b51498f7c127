# SPDX-License-Identifier: MIT
"""Names the optional parts of the kernel that a system needs: kernel_features.h."""

from __future__ import annotations

from bulkhead_declare import apart, budgets, shares
from bulkhead_declare.model import System


def header(system: System) -> str:
    parts = {
        "BUDGETS": bool(budgets.limited(system)),
        "RIGHTS_APART": apart.is_used(system),
        "SHARES": shares.need_code(system),
    }
    return "\n".join(
        (
            "// SPDX-License-Identifier: MIT",
            "// Made from the declaration.",
            *(f"#define KERNEL_HAS_{name} {int(has)}" for name, has in parts.items()),
            "",
        )
    )


def sources(system: System) -> str:
    """Returns the source that contains the optional parts that the system needs. A build compiles
    no other file of the folders `options`."""
    files = ["options/budget.c", "options/clock.c"] if budgets.limited(system) else []
    files += ["options/shares.c"] if shares.need_code(system) else []
    return "\n".join(
        (
            "// SPDX-License-Identifier: MIT",
            "// Made from the declaration.",
            '#include "optional.h"',
            *(f'#include "{each}"' for each in files),
            "",
        )
    )
