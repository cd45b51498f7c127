# SPDX-License-Identifier: MIT
"""Reads the settings file, which the program gets together with the observation plan. The file has
the part of the board's description in `[target.gdb]` (docs/reference/descriptions.md)."""

from __future__ import annotations

import msgspec


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings. `chip` maps registers that identify the board to their address, mask and
    value."""

    version: str  # of the target, for the header of the log
    server: tuple[str, ...]
    address: str
    reset: tuple[str, ...]
    chip: dict[str, tuple[int, int, int]]
    counter: int
    seconds: int
    clock_hz: int
