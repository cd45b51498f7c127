# SPDX-License-Identifier: MIT
"""Writes handles.rs, the objects of a declaration for applications in Rust: a constant for each
handle, log and table of policies, whose type is one of the crate `bulkhead` (bulkhead/rust). Local
objects and pools have no constant; the crate's documentation says why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bulkhead_declare import emit_local, events, restarts, rights
from bulkhead_declare.model import System
from bulkhead_declare.regions import Placement

_HEAD = """\
// SPDX-License-Identifier: MIT
//
// Made from the declaration."""


def handles(system: System, placed: Placement, names: Mapping[str, Sequence[str]]) -> str:
    """Returns the text of handles.rs. For each kind of object, `names` has the names that have a
    handle."""
    local = {(each.kind, each.index) for each in emit_local.every(system)}
    lines = [
        _handle(system, kind, index, first + index, name)
        for kind, first in rights.first_handles(system).items()
        for index, name in enumerate(names[kind])
        if kind != "pool" and (kind, index) not in local
    ]
    return "\n".join((_HEAD, *lines, *_logs(system, placed), *_policies(system), ""))


def _handle(system: System, kind: str, index: int, handle: int, name: str) -> str:
    bytes_ = f"<{system.queues[index].message_bytes}>" if kind == "queue" else ""
    return _constant(f"{kind}_{name}", kind.capitalize(), bytes_, (handle,))


def _logs(system: System, placed: Placement) -> Iterator[str]:
    for process, address, mask in events.logs(system, placed):
        yield _constant(f"log_{process}", "Log", "", (address, mask))


def _policies(system: System) -> Iterator[str]:
    for thread, rows in restarts.rows(system).items():
        name = f"policies_{system.threads[thread].name}".upper()
        yield f"pub static {name}: [::bulkhead::Policy; {len(rows)}] = ["
        yield from (f"    {_made('Policy', '', row)}," for row in rows)
        yield "];\n"


def _constant(name: str, kind: str, bytes_: str, words: Sequence[int]) -> str:
    typed = f"::bulkhead::{kind}{bytes_}"
    return f"pub const {name.upper()}: {typed} =\n    {_made(kind, bytes_, words)};\n"


def _made(kind: str, bytes_: str, words: Sequence[int]) -> str:
    turbofish = f"::{bytes_}" if bytes_ else ""
    listed = ", ".join(map(str, words))
    safe = "/* SAFETY: as declared. */"
    return f"{safe} unsafe {{ ::bulkhead::{kind}{turbofish}::new({listed}) }}"
