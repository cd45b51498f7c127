# SPDX-License-Identifier: MIT
"""The objects of a declaration for applications in Rust (handles.rs): a constant of a type of the
crate `bulkhead` for each handle. Local objects, pools and measures have none (bulkhead/rust)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bulkhead_declare import emit_local, rights
from bulkhead_declare.model import System

_HEAD = """\
// SPDX-License-Identifier: MIT
//
// Made from the declaration."""


def handles(system: System, names: Mapping[str, Sequence[str]]) -> str:
    """Returns the constants; `names` are those that have a handle."""
    local = {(each.kind, each.index) for each in emit_local.every(system)}
    lines = [
        _line(system, kind, index, first + index, name)
        for kind, first in rights.first_handles(system).items()
        for index, name in enumerate(names[kind])
        if kind not in ("pool", "record", "measured") and (kind, index) not in local
    ]
    return "\n".join((_HEAD, *lines, ""))


def _line(system: System, kind: str, index: int, handle: int, name: str) -> str:
    named = f"::bulkhead::{kind.capitalize()}"
    bytes_ = f"<{system.queues[index].message_bytes}>" if kind == "queue" else ""
    turbofish = f"::{bytes_}" if bytes_ else ""
    constant = f"{kind}_{name}".upper()
    return (
        f"// SAFETY: as declared.\npub const {constant}: {named}{bytes_} =\n"
        f"    unsafe {{ {named}{turbofish}::new({handle}) }};\n"
    )
