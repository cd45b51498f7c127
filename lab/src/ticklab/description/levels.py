# SPDX-License-Identifier: MIT
"""The levels of optimisation at which every kernel is built (building/flags.py has their flags).

A level of the compiler, and what is added to it: "+lto" optimises the kernel and the platform
across their files; with "+called" the services of the port stay functions that the scenario calls,
as at -O0, where nothing is inlined. Otherwise they are inlined into the scenario.
"""

from __future__ import annotations

LTO, CALLED = "+lto", "+called"
_UNOPTIMISED = "O0"
_OPTIMISED = ("Os", "O2", "O3")
LEVELS = (
    *("O2", _UNOPTIMISED, "Os", "O3"),
    *(level + LTO for level in _OPTIMISED),
    *(level + CALLED for level in _OPTIMISED),
    *(level + LTO + CALLED for level in _OPTIMISED),
)


def best_levels() -> tuple[str, ...]:
    """Returns the levels from which `--optimise best` chooses: those of the compiler."""
    return tuple(level for level in LEVELS if not is_called(level))


def is_called(level: str) -> bool:
    """Whether the services of the port stay functions at this level."""
    return level == _UNOPTIMISED or level.endswith(CALLED)


def called(level: str) -> str:
    """Returns the level at which the same services are called."""
    return level if is_called(level) else level + CALLED
