# SPDX-License-Identifier: MIT
"""What a suite has drawn of it (suite.toml, `plot`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Plot:
    """A figure that the report draws of a suite: a scenario's cycles by one of its parameters."""

    title: str
    scenario: str
    x: str
    where: Mapping[str, str]  # all other parameters
    bytes: int = 0  # that a sample carries: then what is drawn is bytes in 1,000 cycles
