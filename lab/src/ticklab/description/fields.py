# SPDX-License-Identifier: MIT
"""Fields that several descriptions share, and their permitted values: names, files, services."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ticklab import names
from ticklab.description.toml_table import Table

# The services of bench/port.h.
SERVICES = frozenset({
    "task-create", "task-exit", "yield", "suspend", "suspend-self", "resume", "delay",
    "delay-periodic", "priority", "semaphore", "mutex", "mutex-inheritance", "flags", "queue",
    "notification", "pool", "interrupt", "interrupt-line", "interrupt-handler", "interrupt-driver",
    "unprivileged", "process", "call", "null-call", "fault", "node", "shared-memory", "channel",
    "bus",
})  # fmt: skip
# Services that imply others: if tasks can suspend any task, they can suspend themselves.
IMPLIED_SERVICES = {"suspend": "suspend-self"}

NAME_RULE = "use lower-case letters, digits and single hyphens"

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
# int() accepts more: signs, spaces, underscores, and digits of other scripts.
_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


def is_name(text: str) -> bool:
    return bool(_NAME.fullmatch(text))


def is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text))


def name(table: Table, key: str) -> str:
    name = table.text(key)
    if not is_name(name):
        table.fail(key, f"is '{name}'", NAME_RULE)
    return name


def file(table: Table, key: str, folder: Path) -> Path:
    file = folder / table.text(key)
    if not file.is_file():
        table.fail(key, f"names {file}, which is no file", "paths are relative to the description")
    return file


def optional_file(table: Table, key: str, folder: Path) -> Path | None:
    if key not in table:
        table.text(key, "none")
        return None
    return file(table, key, folder)


def files(
    table: Table, key: str, folder: Path, default: tuple[str, ...] | None = None
) -> tuple[str, ...]:
    """Returns sources as written; checks those in the folder itself for existence."""
    found = table.texts(key, default)
    for name in found:
        if not name.startswith("@/") and not (folder / name).is_file():
            table.fail(
                key, f"names {folder / name}, which is no file", "or write @/ for the source"
            )
    return found


def services(
    table: Table, key: str = "services", default: Sequence[str] | None = None
) -> frozenset[str]:
    services = table.texts(key, default)
    for service in services:
        if service not in SERVICES:
            table.fail(key, f"names '{service}'", names.suggestion(service, SERVICES))
    return frozenset(services)
