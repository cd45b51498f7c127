# SPDX-License-Identifier: MIT
"""The levels of optimisation at which every kernel is built (building/flags.py has their flags).

A level is an optimisation level of the compiler (O2, Os …), perhaps with additions. "+lto"
optimises across the files of the kernel and the platform (link-time optimisation). With "+called",
the scenario calls the port's services as functions; without it, the services are inlined into the
scenario, except at -O0, where nothing is inlined.
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
    """Returns the levels from which `--optimise best` chooses: the compiler's levels without
    additions."""
    return tuple(level for level in LEVELS if not is_called(level))


def is_called(level: str) -> bool:
    """Returns whether the scenario calls the port's services as functions at this level."""
    return level == _UNOPTIMISED or level.endswith(CALLED)


def called(level: str) -> str:
    """Returns the level with the same optimisation at which the scenario calls the port's
    services."""
    return level if is_called(level) else level + CALLED
