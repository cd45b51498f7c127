# SPDX-License-Identifier: MIT
"""Errors about a name that does not exist: suggest the nearest names, or list all names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeVar

from ticklab.errors import UsageError

Thing = TypeVar("Thing")


def suggestion(name: str, known: Iterable[str]) -> str:
    """Returns names of `known` that the user may have meant by `name`."""
    known = sorted(known)
    near = difflib.get_close_matches(name, known, n=2, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"there is: {', '.join(known)}"


def unknown(kind: str, name: str, known: Iterable[str]) -> UsageError:
    return UsageError(f"there is no {kind} '{name}'", suggestion(name, known))


def choose(kind: str, name: str, things: Mapping[str, Thing]) -> Thing:
    """Returns the thing called `name`; the error lists the names that exist."""
    if name not in things:
        raise unknown(kind, name, things)
    return things[name]
