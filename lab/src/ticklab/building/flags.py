# SPDX-License-Identifier: MIT
"""Defines all flags with which an image is compiled and linked. The functions compute flags from a
case and read no file.

All kernels get the same flags, except for the optimisation level that the user chose, the flags of
the board's core and the kernel's own macros.
"""

from __future__ import annotations

from ticklab.building import layout
from ticklab.description.levels import LEVELS, LTO, is_called
from ticklab.description.model import Case
from ticklab.errors import UsageError

_COMPILE = ("-std=c11", "-g", "-ffunction-sections", "-fdata-sections")
_LINK = ("-Wl,--gc-sections", "-Wl,--build-id=none")
_WITHOUT_SYSTEM = ("-nostartfiles",)
# Excludes a file from link-time optimisation.
APART = ("-fno-lto",)
# Compiles the scenario and the port so that the port's services can be inlined into the scenario.
# The object files also contain machine code (-ffat-lto-objects), from which a static kernel's
# generator reads the scenario's tables.
_TOGETHER = ("-flto=1", "-ffat-lto-objects")
_INLINED_SCENARIO = (*_TOGETHER, "-DBENCH_INLINING=")
# -Wno-attributes: GCC warns if a function that it must inline is not declared `inline`.
_INLINED_PORT = (*_TOGETHER, "-DBENCH_INLINING=always_inline", "-Wno-attributes")
# Links the scenario and the port into one object file.
_JOIN = ("-r", "-nostdlib", "-flto-partition=none", "-flinker-output=nolto-rel")

_STRICT = ("-Wall", "-Wextra", "-Wshadow", "-Wstrict-prototypes", "-Wundef", "-Werror")


def compile_flags(case: Case) -> tuple[str, ...]:
    """Returns the compiler flags that every source of the image gets."""
    core = case.variant.core
    library = core.arch.compiler.compile_flags
    return (*core.flags, *library, *_optimisation(case), *_COMPILE, *_defines(case))


def link_flags(case: Case) -> tuple[str, ...]:
    """Returns the flags of the link, in addition to those of the compilation. The linker needs
    both, because it compiles under link-time optimisation."""
    compiler = case.variant.core.arch.compiler
    start = () if compiler.hosted else _WITHOUT_SYSTEM
    return (*start, *_LINK, *compiler.link_flags, *_memory(case))


def kernel_defines(case: Case) -> tuple[str, ...]:
    """Returns the macros that the kernel and its configuration define."""
    defines = {**case.variant.kernel.defines, **case.variant.config.defines}
    return tuple(f"-D{name}={value}" for name, value in defines.items())


def inlines(case: Case) -> bool:
    """Returns whether the services of the port are inlined into the scenario."""
    return not is_called(case.variant.optimise)


def optimises_links(case: Case) -> bool:
    """Returns whether the image is built with link-time optimisation."""
    return LTO in case.variant.optimise


def of_scenario(case: Case) -> tuple[str, ...]:
    """Returns the compiler flags that the scenario's source gets in addition to the flags of all
    sources."""
    return (*readable(case), *(_INLINED_SCENARIO if inlines(case) else ()))


def of_port(case: Case) -> tuple[str, ...]:
    """Returns the compiler flags that the port's source gets in addition to those of the kernel's
    sources."""
    return _INLINED_PORT if inlines(case) else ()


def of_join(case: Case) -> tuple[str, ...]:
    """Returns the flags that link the scenario and the port into one object. They do not include
    the flags of the C library, whose linker script is for whole images."""
    return (*case.variant.core.flags, *_optimisation(case), *_COMPILE, *_JOIN)


def apart(case: Case) -> tuple[str, ...]:
    """Returns the flags of those sources whose code a static kernel's linker script places by file
    name, which are all except the scenario and the port's part for it. They are compiled without
    link-time optimisation, which would merge them into one object."""
    return APART if _static_at_link_time(case) else ()


def readable(case: Case) -> tuple[str, ...]:
    """Returns the flags of the object file from which a static kernel's generator reads tables.
    Without them, link-time optimisation would leave only the compiler's internal form in the object
    file."""
    return ("-ffat-lto-objects",) if _static_at_link_time(case) else ()


def _static_at_link_time(case: Case) -> bool:
    return case.variant.kernel.generate is not None and optimises_links(case)


def warning_flags(ours: bool) -> tuple[str, ...]:
    """Returns strict warnings for Ticklab's own code, and no warnings for code of other projects,
    which users of Ticklab cannot mend."""
    return _STRICT if ours else ("-w",)


def of_level(level: str) -> str:
    """Returns the compiler flag of an optimisation level."""
    if level not in LEVELS:
        raise UsageError(
            f"there is no optimisation level '{level}'", f"there is: {', '.join(LEVELS)}"
        )
    return f"-{level.partition('+')[0]}"


def _optimisation(case: Case) -> tuple[str, ...]:
    level = of_level(case.variant.optimise)
    return (level, "-flto=1") if optimises_links(case) else (level,)


def _defines(case: Case) -> tuple[str, ...]:
    board = case.variant.board
    external = ("-DBENCH_TM_PORT=1",) if case.variant.kernel.interface == "thread-metric" else ()
    return (
        f"-DBENCH_TIMER_HZ={int(case.variant.clock_hz // board.cycles_per_count)}",
        f"-DBENCH_TICK_HZ={case.variant.tick_hz}",
        *external,
        *(f"-D{name}={value}" for name, value in board.machine.macros(board.memory).items()),
    )


def _memory(case: Case) -> tuple[str, ...]:
    """Returns the flags that define the symbols which the linker script needs
    (platform/arch/*/default.ld)."""
    symbols = {"layout_padding_bytes": layout.padding_bytes(case.variant.layout)}
    for name, (origin, length) in case.variant.board.memory.items():
        symbols[f"memory_{name}_origin"] = origin
        symbols[f"memory_{name}_length"] = length
    return tuple(f"-Wl,--defsym={name}={value:#x}" for name, value in symbols.items())
