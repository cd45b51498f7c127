# SPDX-License-Identifier: MIT
"""The types for the marks and spans that a recipe measures in an image without a port. They belong
to the data types of model.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True)
class Selection:
    """Selects which samples of a span count, by the task in which they begin and by their nesting
    depth."""

    task: str | None = None  # name, pattern or number of the task; None: any task or handler
    # The number of samples of the span that are in progress in the same task or handler when the
    # sample begins, this one included. None: any number.
    depth: int | None = None


@dataclass(frozen=True)
class Watch:
    """The marks of an image that declares none itself. targets/mark_resolver.py finds their
    addresses in the image."""

    RETURN: ClassVar = ".return"  # suffix of the name of the mark at which a measured call returns

    marks: Mapping[str, str]  # where each mark lies, as the user wrote it, by name
    # The function whose calls a span measures, by the name of the span.
    calls: Mapping[str, str] = field(default_factory=dict)
    # The selection of samples by span. A span without a selection counts all samples.
    selected: Mapping[str, Selection] = field(default_factory=dict)


@dataclass(frozen=True)
class Pending:
    """A sweep of an image without a port: the emulator pends an interrupt at every instruction of a
    span. targets/mark_resolver.py finds the addresses at which the span begins and ends."""

    line: int  # number of the external interrupt
    begin: str
    end: str | None = None  # None: the span ends where the function at `begin` returns
