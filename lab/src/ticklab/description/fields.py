# SPDX-License-Identifier: MIT
"""Words of descriptions and of command lines: services, names, numbers. Uses the standard library
alone, because the command line checks words before any set-up."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias, get_args

# The services of bench/port.h.
Service: TypeAlias = Literal[
    "task-create", "task-exit", "yield", "suspend", "suspend-self", "resume", "delay",
    "delay-periodic", "priority", "semaphore", "mutex", "mutex-inheritance", "flags", "queue",
    "notification", "pool", "interrupt", "interrupt-line", "interrupt-handler", "interrupt-driver",
    "unprivileged", "process", "call", "null-call", "fault", "node", "shared-memory", "channel",
    "bus", "condition", "rwlock", "message-buffer", "heap", "timer",
]  # fmt: skip
SERVICES: frozenset[str] = frozenset(get_args(Service))
# Services that imply others: if tasks can suspend any task, they can suspend themselves.
IMPLIED_SERVICES = {"suspend": "suspend-self"}

NAME_RULE = "use lower-case letters, digits and single hyphens"
# In Python, `$` also matches before a newline at the end.
NAME_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$(?!\n)"

_NAME = re.compile(NAME_PATTERN)
# int() accepts more: signs, spaces, underscores, and digits of other scripts.
_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


def is_name(text: str) -> bool:
    return bool(_NAME.fullmatch(text))


def is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text))
