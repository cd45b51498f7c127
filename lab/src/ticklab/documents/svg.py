# SPDX-License-Identifier: MIT
"""The elements that all pictures of the documents share."""

from __future__ import annotations

from collections.abc import Iterator

# Colours that colour-blind readers can distinguish, on white and on black.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_FONT = "font-family='system-ui, sans-serif' font-size='11' fill='#777'"


def head(title: str, view: tuple[float, float, float, float]) -> Iterator[str]:
    """Yields the start of a picture, with its title above the point (0, 0)."""
    box = " ".join(f"{number:g}" for number in view)
    yield "<!-- SPDX-License-Identifier: MIT -->"
    yield f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='{box}' {_FONT} role='img'>"
    yield f"<title>{title}</title><text x='0' y='-12'>{title}</text>"


def count(value: float) -> str:
    """Returns a figure with at most one decimal."""
    return f"{round(value, 1):,g}" if value < 1000 else f"{value:,.0f}"
