# SPDX-License-Identifier: MIT
"""Ticklab's host tool: builds kernels with scenarios, runs them, and says what they cost.

`ticklab.open()` is its Python interface (api.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from ticklab.api import Runs

__version__ = "0.2.0"


def open(place: str | Path | None = None) -> Runs:  # noqa: A001, as gzip.open
    """Opens stored runs as tables; see ticklab.api."""
    from ticklab import api

    return api.open_runs(place)
