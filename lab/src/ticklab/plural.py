# SPDX-License-Identifier: MIT
"""Numbers of things in sentences."""

from __future__ import annotations


def number_of(count: int, noun: str) -> str:
    """Returns `1 record`, `2 records` or `12,000 records`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
