# SPDX-License-Identifier: MIT
"""The marks and spans that a recipe measures in an unported image.

Part of the vocabulary of model.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True)
class Selection:
    """The samples of a span that count, by where they begin."""

    task: str | None = None  # name, pattern or number; None: any task or handler
    # Samples of the span in progress in the same task or handler, with this one. None: any number.
    depth: int | None = None


@dataclass(frozen=True)
class Watch:
    """The marks of an image that declares none: places as targets/mark_resolver.py reads them."""

    RETURN: ClassVar = ".return"  # suffix of the name of a mark where a measured call returns

    marks: Mapping[str, str]  # name -> place
    calls: Mapping[str, str] = field(default_factory=dict)  # name -> function, measured by call
    selected: Mapping[str, Selection] = field(default_factory=dict)  # by span; others: all samples


@dataclass(frozen=True)
class Pending:
    """A sweep of an unported image: an interrupt that the emulator pends at every instruction of a
    span. Both places are as targets/mark_resolver.py reads them."""

    line: int  # number of the external interrupt
    begin: str
    end: str | None = None  # None: where the function at `begin` returns
