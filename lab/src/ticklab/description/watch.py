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
    """Selects the samples of a span that count, by the task and the depth at which they begin."""

    task: str | None = None  # name, pattern or number of the task; None: any task or handler
    # Number of samples of the span in progress in the same task or handler, including this one.
    # None: any.
    depth: int | None = None


@dataclass(frozen=True)
class Watch:
    """The marks of an image that declares none itself. targets/mark_resolver.py finds their
    addresses."""

    RETURN: ClassVar = ".return"  # suffix of the name of the mark at which a measured call returns

    marks: Mapping[str, str]  # where each mark lies, as the user wrote it, by name
    # For spans that measure calls: the function, by name of the span.
    calls: Mapping[str, str] = field(default_factory=dict)
    # Selection by span; all samples count for other spans.
    selected: Mapping[str, Selection] = field(default_factory=dict)


@dataclass(frozen=True)
class Pending:
    """A sweep of an unported image, in which the emulator pends an interrupt at every instruction
    of a span. targets/mark_resolver.py finds the addresses of begin and end."""

    line: int  # number of the external interrupt
    begin: str
    end: str | None = None  # None: the span ends where the function at `begin` returns
