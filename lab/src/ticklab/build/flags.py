# SPDX-License-Identifier: MIT
"""Every flag that an image is compiled and linked with. Pure: a case in, flags out.

All kernels get the same flags; what differs is the level of optimisation that the user chose, the
board's core and the kernel's own macros.
"""

from __future__ import annotations

from ticklab.build import layout
from ticklab.errors import UsageError
from ticklab.model import Case

# "+lto" behind a level stands for link-time optimisation.
LEVELS = ("O2", "O0", "Os", "O3", "Os+lto", "O2+lto", "O3+lto")

_COMPILE = ("-std=c11", "-g3", "-ffunction-sections", "-fdata-sections")
_LINK = ("-nostartfiles", "-Wl,--gc-sections", "-Wl,--build-id=none")
# The C library, by architecture: newlib for Arm, whose headers GCC finds by itself, and picolibc.
_LIBRARY_HEADERS = {"armv7-m": (), "rv32": ("--specs=picolibc.specs",)}
_LIBRARY = {"armv7-m": ("--specs=nano.specs",), "rv32": ()}
# Compiled by itself, whatever the rest is.
APART = ("-fno-lto",)

_STRICT = ("-Wall", "-Wextra", "-Wshadow", "-Wstrict-prototypes", "-Wundef", "-Werror")


def best_levels() -> tuple[str, ...]:
    """The levels that `--optimise best` chooses from."""
    return tuple(level for level in LEVELS if level != "O0")


def compile_flags(case: Case) -> tuple[str, ...]:
    """For every source of the image."""
    library = _LIBRARY_HEADERS[case.board.arch]
    return (*case.cpu_flags, *library, *_optimisation(case), *_COMPILE, *_defines(case))


def link_flags(case: Case) -> tuple[str, ...]:
    """Besides those of the compilation, which the linker needs for link-time optimisation."""
    return (*_LINK, *_LIBRARY[case.board.arch], *_memory(case))


def kernel_defines(case: Case) -> tuple[str, ...]:
    """The kernel's and its configuration's own macros."""
    defines = {**case.kernel.defines, **case.config.defines}
    return tuple(f"-D{name}={value}" for name, value in defines.items())


def apart(case: Case) -> tuple[str, ...]:
    """For what a static kernel's linker script places by its files, which link-time optimisation
    would make one: everything but the scenario and its part of the port."""
    return APART if _static_at_link_time(case) else ()


def readable(case: Case) -> tuple[str, ...]:
    """For the object that a static kernel reads: its tables as well, not the compiler's own form
    alone."""
    return ("-ffat-lto-objects",) if _static_at_link_time(case) else ()


def _static_at_link_time(case: Case) -> bool:
    return case.kernel.generate is not None and case.optimise.endswith("+lto")


def warning_flags(ours: bool) -> tuple[str, ...]:
    """Our own code has no warnings; others' is not for the user of Ticklab to mend."""
    return _STRICT if ours else ("-w",)


def _optimisation(case: Case) -> tuple[str, ...]:
    if case.optimise not in LEVELS:
        raise UsageError(f"no optimisation '{case.optimise}'", f"there is: {', '.join(LEVELS)}")
    level, _, link_time = case.optimise.partition("+")
    return (f"-{level}", "-flto=1") if link_time else (f"-{level}",)


def _defines(case: Case) -> tuple[str, ...]:
    external = ("-DBENCH_TM_PORT=1",) if case.kernel.interface == "thread-metric" else ()
    return (
        f"-DBENCH_TIMER_HZ={case.clock_hz // case.board.cycles_per_count}",
        f"-DBENCH_TICK_HZ={case.tick_hz}",
        *external,
    )


def _memory(case: Case) -> tuple[str, ...]:
    """What the linker script asks for (platform/arch/*/default.ld)."""
    symbols = {"layout_padding_bytes": layout.padding_bytes(case.layout)}
    for name, (origin, length) in case.board.memory.items():
        symbols[f"memory_{name}_origin"] = origin
        symbols[f"memory_{name}_length"] = length
    return tuple(f"-Wl,--defsym={name}={value:#x}" for name, value in symbols.items())
