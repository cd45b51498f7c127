# SPDX-License-Identifier: MIT
"""Rules for words in descriptions and on command lines: names of services, other names, and
numbers.

Uses the standard library alone, because command lines are checked before the set-up installs
anything. The names of the services are read from bench/port.h.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, TypeAlias

from ticklab import paths

CONTRACT = paths.CHECKOUT / "bench" / "include" / "bench" / "port.h"
# Matches the name of a service in a comment of bench/port.h: "Service `yield`", or "with
# inheritance: `mutex-…` ---" in the heading of a section.
SERVICE_NAME = re.compile(r"[Ss]ervice `(?P<one>[a-z-]+)`|: `(?P<other>[a-z-]+)` -")

SERVICES = frozenset(
    found["one"] or found["other"] for found in SERVICE_NAME.finditer(CONTRACT.read_text())
)
if TYPE_CHECKING:
    Service: TypeAlias = str
else:
    Service = Literal[tuple(sorted(SERVICES))]
# Services that imply others: if tasks can suspend any task, they can suspend themselves.
IMPLIED_SERVICES = {"suspend": "suspend-self"}

PRIORITIES = 31  # number of priorities in the contract: 1 to 31

NAME_RULE = "use lower-case letters, digits and single hyphens"
# In Python, `$` also matches before a newline at the end.
NAME_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$(?!\n)"

_NAME = re.compile(NAME_PATTERN)
# Digits only, because int() also accepts signs, spaces, underscores, and digits of other scripts.
_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


def is_name(text: str) -> bool:
    return bool(_NAME.fullmatch(text))


def is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text))
