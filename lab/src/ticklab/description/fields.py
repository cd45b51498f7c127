# SPDX-License-Identifier: MIT
"""Words of descriptions and of command lines: services, names, numbers. Uses the standard library
alone, because the command line checks words before any set-up.

The services are those that bench/port.h names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, TypeAlias

from ticklab import paths

CONTRACT = paths.CHECKOUT / "bench" / "include" / "bench" / "port.h"
# In a comment or the heading of a section: "Service `yield`", "with inheritance: `mutex-…` ---".
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

PRIORITIES = 31  # of the contract: 1 to 31

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
