# SPDX-License-Identifier: MIT
"""Reads a declaration from a TOML file. docs/reference/bulkhead-declaration.md explains the keys.

The file names things and the model numbers them. An unknown key, a missing key and a name without a
declaration are errors that say where they are.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bulkhead_declare import emit_local, rights
from bulkhead_declare.model import (
    Action,
    DeclarationError,
    Flags,
    Gate,
    Interrupt,
    Memory,
    Mutex,
    Pool,
    Process,
    Queue,
    Region,
    Semaphore,
    System,
    Thread,
    Timer,
    Window,
)

_KINDS = (
    "process", "thread", "region", "window", "semaphore", "mutex", "queue", "interrupt", "flags",
    "gate", "pool", "timer",
)  # fmt: skip
_ACTIONS = {"posts": "semaphore", "resumes": "thread", "notifies": "thread", "sets": "flags"}
_TRIGGERS = ("edge", "level")
_NAME = re.compile(r"\w+", re.ASCII)
_NOTHING = object()


class Row:
    """One table of the file. end() refuses a key that nothing has read."""

    def __init__(self, kind: str, entries: dict[str, Any]) -> None:
        self.kind = kind
        self.entries = dict(entries)
        self.name = str(entries.get("name", "?"))

    def fail(self, what: str) -> DeclarationError:
        return DeclarationError(f"{self.kind} {self.name}: {what}")

    def take(self, key: str, kind: type, default: Any = _NOTHING) -> Any:
        value = self.entries.pop(key, default)
        if value is _NOTHING:
            raise self.fail(f"has no {key}; add it")
        if value is not default and not isinstance(value, kind):
            raise self.fail(f"{key} is {value!r}; it must be of type {kind.__name__}")
        return value

    def end(self) -> None:
        for key in self.entries:
            raise self.fail(f"has a key {key} that nothing reads; take it out")


class Names:
    """The names in the file, and the number of each."""

    def __init__(self, rows: dict[str, list[Row]]) -> None:
        self._numbers: dict[str, dict[str, int]] = {}
        for kind, found in rows.items():
            self._numbers[kind] = {}
            self._number(kind, found)

    def _number(self, kind: str, rows: list[Row]) -> None:
        """Numbers the names. They must differ in the header, too, where all letters are
        capitals."""
        seen: set[str] = set()
        for number, row in enumerate(rows):
            if not _NAME.fullmatch(row.name):
                raise row.fail("has a name that C does not have; use letters, digits and _")
            if row.name.upper() in seen:
                raise row.fail("is declared twice; rename one")
            seen.add(row.name.upper())
            self._numbers[kind][row.name] = number

    def one(self, row: Row, kind: str, name: str) -> int:
        known = self._numbers[kind]
        if name not in known:
            raise row.fail(f"names {kind} {name}; there is: {', '.join(known) or 'none'}")
        return known[name]

    def some(self, row: Row, kind: str, names: Iterable[str]) -> frozenset[int]:
        return frozenset(self.one(row, kind, name) for name in names)

    def handles(self, system: System) -> str:
        """Returns a header with the handles of everything that a thread can name, and its local
        objects."""
        named = {kind: list(numbers) for kind, numbers in self._numbers.items()}
        lines = [
            "// SPDX-License-Identifier: MIT",
            "// Made from the declaration.",
            "#ifndef BULKHEAD_HANDLES_H",
            "#define BULKHEAD_HANDLES_H",
            "#include <bulkhead/bulkhead.h>",
            "enum {",
        ]
        every = dict(named)
        named["process"] = [named["process"][index] for index in rights.supervised(system)]
        for kind, first in rights.first_handles(system).items():
            for index, name in enumerate(named[kind]):
                handle = emit_local.handle_name(system, kind, index, name)
                lines.append(f"    {handle} = {first + index},")
        return "\n".join((*lines, "};", *emit_local.names(system, every), "#endif", ""))


def read(file: Path) -> tuple[System, Names]:
    try:
        whole = tomllib.loads(file.read_text())
    except tomllib.TOMLDecodeError as error:
        raise DeclarationError(f"{file} is not TOML: {error}") from None
    image = Row("image", whole.pop("image", {}))
    rows = {kind: [Row(kind, each) for each in whole.pop(kind, [])] for kind in _KINDS}
    for key in whole:
        raise DeclarationError(f"{file} has a table {key}; there is: image, {', '.join(_KINDS)}")
    names = Names(rows)
    system = _system(image, rows, names)
    for row in (image, *(row for found in rows.values() for row in found)):
        row.entries.pop("name", None)
        row.end()
    return system, names


def _system(image: Row, rows: dict[str, list[Row]], names: Names) -> System:
    processes = rows["process"]
    controls = {i: _threads(row, names, "controls") for i, row in enumerate(processes)}
    notifies = {i: _threads(row, names, "notifies") for i, row in enumerate(processes)}
    return System(
        code=Memory(*image.take("code", list)),
        data=Memory(*image.take("data", list)),
        architecture=image.take("architecture", str, "armv7-m"),
        tickless=image.take("tickless", bool, False),
        kernel_code_bytes=image.take("kernel_code_bytes", int, 0x8000),
        user_code_bytes=image.take("user_code_bytes", int, 0x4000),
        processes=tuple(_process(row, names) for row in processes),
        threads=tuple(_thread(row, names) for row in rows["thread"]),
        regions=tuple(_region(row, names) for row in rows["region"]),
        windows=tuple(_window(row, names) for row in rows["window"]),
        semaphores=tuple(_semaphore(row, names) for row in rows["semaphore"]),
        mutexes=tuple(Mutex(*_use(row, names)) for row in rows["mutex"]),
        queues=tuple(_queue(row, names) for row in rows["queue"]),
        interrupts=tuple(_interrupt(row, names) for row in rows["interrupt"]),
        flags=tuple(_flags(row, names) for row in rows["flags"]),
        gates=tuple(_gate(row, names) for row in rows["gate"]),
        pools=tuple(_pool(row, names) for row in rows["pool"]),
        timers=tuple(_timer(row, names) for row in rows["timer"]),
        controls=controls,
        notifies=notifies,
    )


def _threads(row: Row, names: Names, key: str) -> frozenset[int]:
    return names.some(row, "thread", row.take(key, list, []))


def _process(row: Row, names: Names) -> Process:
    supervisor = row.take("supervisor", str, None)
    return Process(
        name=row.name,
        restarts=row.take("restarts", bool, False),
        ceiling=row.take("ceiling", int, None),
        supervisor=None if supervisor is None else names.one(row, "thread", supervisor),
        pends=names.some(row, "interrupt", row.take("pends", list, [])),
        code_files=tuple(row.take("code_files", list, [])),
        code_bytes=row.take("code_bytes", int, 0),
    )


def _thread(row: Row, names: Names) -> Thread:
    return Thread(
        name=row.name,
        entry=row.take("entry", str),
        stack_bytes=row.take("stack_bytes", int, 0),
        priority=row.take("priority", int),
        process=names.one(row, "process", row.take("process", str)),
        initially=row.take("initially", str, "ready"),
        slice_ticks=row.take("slice_ticks", int, 0),
    )


def _region(row: Row, names: Names) -> Region:
    owner = names.one(row, "process", row.take("owner", str))
    return Region(
        name=row.name,
        bytes=row.take("bytes", int),
        owner=owner,
        users=names.some(row, "process", row.take("users", list, [])) | {owner},
        files=tuple(row.take("files", list)),
    )


def _window(row: Row, names: Names) -> Window:
    users = names.some(row, "process", row.take("users", list))
    return Window(row.name, row.take("address", int), row.take("bytes", int), users)


def _use(row: Row, names: Names) -> tuple[frozenset[int], bool]:
    users = names.some(row, "process", row.take("users", list))
    return users, row.take("local", bool, False)


def _semaphore(row: Row, names: Names) -> Semaphore:
    return Semaphore(row.take("initial", int), row.take("maximum", int), *_use(row, names))


def _queue(row: Row, names: Names) -> Queue:
    return Queue(row.take("capacity", int), row.take("message_bytes", int), *_use(row, names))


def _flags(row: Row, names: Names) -> Flags:
    return Flags(row.take("initial", int, 0), *_use(row, names))


def _gate(row: Row, names: Names) -> Gate:
    server = names.one(row, "thread", row.take("server", str))
    return Gate(server, names.some(row, "process", row.take("users", list)))


def _pool(row: Row, names: Names) -> Pool:
    users, local = _use(row, names)
    region = row.take("region", str, "")
    if region:
        names.one(row, "region", region)
    return Pool(row.take("blocks", int), row.take("block_bytes", int), users, local, region)


def _timer(row: Row, names: Names) -> Timer:
    users = names.some(row, "process", row.take("users", list))
    return Timer(_action(row, names), users)


def _interrupt(row: Row, names: Names) -> Interrupt:
    line = row.take("line", int)
    handler = row.take("handler", str, f"interrupt_{row.name}")
    if (driver := row.take("delivers", str, None)) is None:
        return Interrupt(line, handler, _action(row, names, "delivers"))
    trigger = row.take("trigger", str, "edge")
    if trigger not in _TRIGGERS:
        raise row.fail(f"has trigger {trigger}; use {' or '.join(_TRIGGERS)}")
    action = Action("delivers", names.one(row, "thread", driver))
    return Interrupt(line, handler, action, trigger == "level")


def _action(row: Row, names: Names, *others: str) -> Action:
    for action, kind in _ACTIONS.items():
        if (name := row.take(action, str, None)) is not None:
            flags = row.take("flags", int) if action == "sets" else 0
            return Action(action, names.one(row, kind, name), flags)
    raise row.fail(f"does nothing; add one of {', '.join((*_ACTIONS, *others))}")
