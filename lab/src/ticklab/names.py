# SPDX-License-Identifier: MIT
"""What to say about a name that does not exist: the nearest ones, or all there are."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeVar

from ticklab.errors import UsageError

Thing = TypeVar("Thing")


def suggestion(name: str, known: Iterable[str]) -> str:
    """What the user may have meant by `name`, which is none of `known`."""
    known = sorted(known)
    near = difflib.get_close_matches(name, known, n=2, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"there is: {', '.join(known)}"


def unknown(kind: str, name: str, known: Iterable[str]) -> UsageError:
    return UsageError(f"no {kind} '{name}'", suggestion(name, known))


def choose(kind: str, name: str, things: Mapping[str, Thing]) -> Thing:
    """The thing called `name`, or an error that says which there are."""
    if name not in things:
        raise unknown(kind, name, things)
    return things[name]
