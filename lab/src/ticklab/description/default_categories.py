# SPDX-License-Identifier: MIT
"""Default rules that assign instructions to kinds of work (for `explain`), used if a kernel's
description has no rules. They recognise a kind of work by words that are common in names of
functions, and by the kernel's own files.

The default rules are a first guess, and views say so. If a description has any [[category]], only
the description's rules are used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import translate
from pathlib import Path, PurePosixPath

from ticklab.description.model import CategoryRule

# Opcodes that write PRIMASK, BASEPRI and similar registers; barriers; exclusive accesses.
_MASKING = r"(change-state|.*barrier|.*exclusive|status-register ..f31[0-2]8.).*"
_SAVING = r"((load|store)-multiple|float-(load|store)|load|store).*"
# Words in names of functions, each with a kind of work. The first row that matches is used.
_NAMES = (
    ("critical-sections", r"critical|basepri|primask|irq_?(save|restore|lock|unlock)|interrupts_"),
    ("protection", r"mpu|pmp|protect"),
    ("checks", r"assert|valid|check|panic"),
    (
        "ready-list",
        r"ready|sched|list|prio|append|insert|remove|first|enqueue|dequeue|preempt|outrank|switch",
    ),
)
_SWITCH = r"pendsv|svc|switch|context|trap|swap"
_LIBRARY = r"(__aeabi_)?mem(cpy|set|move|cmp)\w*"


def rules(
    folder: Path, port: str | None, sources: Iterable[str], includes: Iterable[str]
) -> tuple[CategoryRule, ...]:
    """Returns the default rules for the kernel described in `folder`. `sources` and `includes` are
    as in the description. Header folders of the kernel's source package are not searched."""
    headers = (
        each.name
        for name in includes
        if not name.startswith("@/")
        for each in sorted((folder / name).glob("*.h"))
    )
    own = (PurePosixPath(name).name for name in sources if name != port)
    files = "|".join(dict.fromkeys(translate(name) for name in (*own, *headers)))
    ported = (_rule("api", file=re.escape(PurePosixPath(port).name)),) if port else ()
    return (
        *ported,
        _rule("critical-sections", opcode=_MASKING, file=files),
        _rule("registers", opcode=_SAVING, function=_part(_SWITCH), file=files),
        *(_rule(kind, function=_part(names), file=files) for kind, names in _NAMES),
        _rule("bookkeeping", file=files),
        _rule("bookkeeping", function=_LIBRARY),
    )


def _part(names: str) -> str:
    return rf"(?i:.*({names}).*)"


def _rule(
    kind: str, opcode: str | None = None, function: str | None = None, file: str | None = None
) -> CategoryRule:
    return CategoryRule(kind, opcode, function, file, is_default=True)
