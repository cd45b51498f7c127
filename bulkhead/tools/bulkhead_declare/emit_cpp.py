# SPDX-License-Identifier: MIT
"""Writes handles.hpp, the objects of a declaration for applications in C++: for each name, a
constant whose type is a class of bulkhead.hpp. The application supplies the types of messages and
blocks as template arguments; bulkhead.hpp compares their sizes with the declared ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bulkhead_declare import emit_local, rights
from bulkhead_declare.emit_local import Local
from bulkhead_declare.model import System

_HEAD = """\
// SPDX-License-Identifier: MIT
//
// Made from the declaration.
#ifndef BULKHEAD_HANDLES_HPP
#define BULKHEAD_HANDLES_HPP
#include <bulkhead/bulkhead.hpp>

extern "C" {
#include <handles.h>
}

namespace objects {"""
_CONTENTS = {"queue": "Message", "pool": "Block"}  # types with a parameter


def handles(system: System, names: Mapping[str, Sequence[str]]) -> str:
    """Returns the text of handles.hpp. For each kind of object, `names` has the names that have a
    handle, and those of local pools."""
    locals_ = {(each.kind, each.index): each for each in emit_local.every(system)}
    lines = [
        _line(system, kind, index, name, locals_.get((kind, index)))
        for kind in rights.counts(system)
        for index, name in enumerate(names[kind])
    ]
    lines += [
        f"inline constexpr bulkhead::Log log_{each.name}{{LOG_{each.name.upper()}}};"
        for each in system.processes
        if each.log_events
    ]
    return "\n".join((_HEAD, *lines, "} // namespace objects", "#endif", ""))


def _line(system: System, kind: str, index: int, name: str, local: Local | None) -> str:
    arguments = list(_arguments(system, kind, index))
    if local:
        arguments.append(f"bulkhead_{kind} *")
    contents = _CONTENTS.get(kind)
    template = f"template <typename {contents}> " if contents else ""
    has_object = kind in emit_local.KINDS and not arguments
    types = f"<{', '.join(arguments)}>" if arguments else "<>" if has_object else ""
    value = f"{kind}_{name}".upper()
    return (
        f"{template}inline constexpr bulkhead::{kind.capitalize()}{types} {kind}_{name}{{{value}}};"
    )


def _arguments(system: System, kind: str, index: int) -> Iterator[str]:
    if kind == "queue":
        yield from ("Message", str(system.queues[index].message_bytes))
    if kind == "pool":
        yield from ("Block", str(system.pools[index].block_bytes))
