# SPDX-License-Identifier: MIT
"""Lists the source files and options of each test of the whole kernel."""

from __future__ import annotations

from dataclasses import replace

from build import (
    CORTEX_M3,
    CORTEX_M4F,
    CORTEX_M7F,
    CORTEX_M33F,
    CORTEX_M55F,
    PLATFORM,
    ROOT,
    Core,
    Image,
)


def _tick(counts: int) -> tuple[str, ...]:
    """Returns the options of a tick of `counts` counts of SysTick. A count is 40 instructions
    (docs/reference/contract.md, "Time")."""
    hz = f"-DBENCH_TIMER_HZ={100 * counts}"
    return (hz, "-DBENCH_TICK_HZ=100", f"-DBULKHEAD_TICK_CYCLES={counts}")


TICK = _tick(37)
# At -O0, the kernel starts a thread within such a tick, and a thread that a tick has woken makes
# its next call.
THREADS_TICK = _tick(60)
# The linker wraps the tick handler, so that the test counts the tick interrupts.
LONG_TICK = (*_tick(250), "-Wl,--wrap=kernel_tick,--wrap=bulkhead_idle")
# Long enough for the checks of core/hooks/checks after every call.
CHECKED_TICK = _tick(400)
ATTACK_TICK_COUNTS = 200
# Wraps the kernel function that defers work, so that tests count interrupted calls that set flags,
# and ticks that leave timers due.
DEFERRAL = "-Wl,--wrap=deferred_add"
# A round of the test ends before the next tick.
SETS_TICK = (*_tick(500), DEFERRAL, "-DDEVICE_PERIOD_CYCLES=41", "-DLEAST_STOPPED_TWICE=6")
# With the kernel's sanity checks, fewer interrupts stop the same call twice, so the test requires
# fewer.
CHECKED_SETS = (*_tick(16000), DEFERRAL, "-DDEVICE_PERIOD_CYCLES=811", "-DLEAST_STOPPED_TWICE=1")
# Fifty threads wake within such a tick, with many interrupts.
SLOW_TICK = _tick(4000)
DUE_TICK = (*SLOW_TICK, DEFERRAL)
LATE_TICK = (*SLOW_TICK, "-DLATE_TICK_CYCLES=4000")
CHAIN_TICK = (*SLOW_TICK, "-DDEVICE_PERIOD_CYCLES=97")
BUDGET_TICK = (*_tick(1000), "-DTICK_CYCLES=1000")
# The restart of a process whose memory is large takes longer.
RESTART_TICK = _tick(500)
RECORD_TICK = (*_tick(500), "-DTICK_COUNTS=500")
MEASURES_TICK = _tick(1000)
PROGRAMS_TICK = (*MEASURES_TICK, "-DTICK_COUNTS=BULKHEAD_TICK_CYCLES")
# The linker wraps kernel functions, so that the test counts the parts of a termination that the
# idle thread executes.
ENDS_TICK = (*CHAIN_TICK, "-Wl,--wrap=idle_work,--wrap=kernel_fault")
LEASE_WRAPS = "-Wl,--wrap=arch_copy_lent,--wrap=arch_kernel_fault,--wrap=arch_panic"


def _target(
    name: str,
    *parts: str,
    declaration: str = "",
    options: tuple[str, ...] = TICK,
    package: bool = False,
    hooks: str = "none",
    kernel: tuple[str, ...] = (),
    exports: tuple[str, ...] = (),
    imports: tuple[str, ...] = (),
) -> Image:
    files = tuple(f"{part}.c" for part in (name, *parts, "report"))
    return Image(
        "target",
        declaration or f"{name}.toml",
        files,
        options,
        hooks=hooks,
        package=package,
        kernel=kernel,
        exports=exports,
        imports=imports,
    )


def tangle(actions: int, latest_cycles: int = 120, hooks: str = "none", seed: int = 1) -> Image:
    """Returns a tangle test: `actions` random actions in two processes that nest locks, calls,
    terminations and restarts.

    A tick is 20,000 instructions, or 80,000 with the checks of the kernel's state. The driver may
    be late by `latest_cycles` counts of the device.
    """
    hz, period, device = (200_000, 2000, 811) if hooks == "checks" else (50_000, 500, 83)
    options = (
        f"-DBENCH_TIMER_HZ={hz}", "-DBENCH_TICK_HZ=100", f"-DBULKHEAD_TICK_CYCLES={period}",
        f"-DDEVICE_PERIOD_CYCLES={device}", f"-DTANGLE_ACTIONS={actions}u",
        f"-DTANGLE_SEED={seed}u", f"-DTANGLE_LATEST_CYCLES={latest_cycles}u",
    )  # fmt: skip
    parts = ("late_driver", "tangle_actions", "tangle_one", "tangle_two")
    return _target("tangle", *parts, options=options, hooks=hooks, package=True)


# A tick so long that the injected interrupts are the only interrupts.
_POSITIONS_PARTS = (
    "positions.c", "paths_objects.c", "paths_threads.c", "paths_gates.c", "answerer.c", "report.c",
)  # fmt: skip
_POSITIONS_TICK = (
    "-DBENCH_TIMER_HZ=25000000", "-DBENCH_TICK_HZ=10", "-DBULKHEAD_TICK_CYCLES=2500000",
)  # fmt: skip
_INJECTED = (*_POSITIONS_TICK, "-Wl,--defsym=memory_watchdog_origin=0x40008000")
_INJECTION = (
    PLATFORM / "injection.c",
    ROOT / "platform" / "boards" / "mps2-an386" / "injection.S",
)
_M33F_INJECTED = (*_POSITIONS_TICK, "-Wl,--defsym=memory_watchdog_origin=0x50081000")
_M33F_INJECTION = (_INJECTION[0], ROOT / "platform" / "boards" / "mps2-an505" / "injection.S")
# The NMI handler that injects interrupts is linked into the kernel; the variables that it writes
# belong to the test.
_INJECTING = Image(
    "target",
    "positions.toml",
    _POSITIONS_PARTS,
    _INJECTED,
    platform=_INJECTION,
    imports=("arch_injection", "memory_watchdog_origin"),
)
POSITIONS = _INJECTING
# Sizes of the MPU region for a stack of 256 bytes and an exception frame: a power of two on
# Armv7-M, a multiple of 32 on Armv8-M.
_LAZY_STACK, _LAZY_STACK_M33F = "-DSTACK_BYTES=512", "-DSTACK_BYTES=384"
LAZY = replace(
    _INJECTING,
    declaration="lazy.toml",
    parts=("lazy.c", "report.c"),
    options=(*_INJECTED, _LAZY_STACK),
)
SHARE_SWITCH = replace(
    _INJECTING,
    declaration="share_switch.toml",
    parts=("share_switch.c", "share_switch_kernel.c", "report.c"),
    options=(*_INJECTED, "-Wl,--wrap=arch_interrupt_posts"),
    kernel=("share_switch_kernel",),
    imports=(*_INJECTING.imports, "share_switch_halves"),
)
RV32_POSITIONS = Image(
    "target",
    "positions.toml",
    (*_POSITIONS_PARTS, "rv32/injection.c"),
    (*_POSITIONS_TICK, "-Wl,--wrap=bulkhead_lines_serve,--wrap=bulkhead_start"),
    # Functions of the test's own file, some of which the kernel calls.
    exports=("arch_tick", "arch_line_pend", "bulkhead_lines_serve", "bulkhead_start"),
    imports=("__wrap_bulkhead_lines_serve", "__wrap_bulkhead_start"),
)

# The objects of `preemption`, on a processor that stops in the middle of LDM and STM.
CONTINUED = _target(
    "preemption",
    "armv7-m/continued",
    options=(*TICK, "-Wl,--wrap=kernel_tick,--wrap=self_delay"),
    kernel=("continued",),
)

TARGET = {
    "positions": POSITIONS,
    "isolation": _target(
        "isolation",
        "suspect",
        "victim",
        declaration="system.toml",
        exports=("kernel", "kernel_threads", "kernel_boot", "arch_copy_in"),
    ),
    "preemption": _target("preemption"),
    "continued": CONTINUED,
    "floating": _target("floating"),
    "lazy": LAZY,
    "share_switch": SHARE_SWITCH,
    "calls": _target("calls", "service", options=THREADS_TICK),
    "signals": _target("signals", options=THREADS_TICK),
    "stacks": _target("stacks", options=THREADS_TICK),
    "waits": _target("waits", "waits_cases", options=CHECKED_TICK),
    # deferral_count.c runs in the kernel, and writes its counts to the test's memory.
    "sets": _target(
        "sets",
        "deferral_count",
        options=SETS_TICK,
        package=True,
        kernel=("deferral_count",),
        imports=("sets_deferred", "sets_deferred_again"),
    ),
    "due": _target(
        "due",
        "due_count",
        options=DUE_TICK,
        package=True,
        kernel=("due_count",),
        imports=("timers_deferred",),
    ),
    "late": _target("late", "late_timers", options=LATE_TICK, package=True),
    "ends": _target(
        "ends",
        "ends_device",
        "ends_meddler",
        "ends_mortal",
        "ends_count",
        options=ENDS_TICK,
        package=True,
        kernel=("ends_count",),
        exports=("kernel_threads",),
        imports=("ends_deferred", "ends_lifted", "faults_in_launch"),
    ),
    "threads": _target("threads", options=THREADS_TICK, exports=("kernel_threads", "processes")),
    "driver": _target("driver", "driven", package=True),
    "tangle": tangle(15_000),
    "chain": _target("chain", "late_driver", options=CHAIN_TICK, package=True),
    "budget": _target("budget", "budget_hog", options=BUDGET_TICK, package=True),
    "programs": _target(
        "programs", "programs_server", "programs_hostile", options=PROGRAMS_TICK, package=True
    ),
    "apart": _target("apart", options=CHECKED_TICK),
    "measures": _target("measures", options=MEASURES_TICK, package=True),
    "log": _target("log", "log_teller", "log_hostile", options=MEASURES_TICK, package=True),
    "lease": _target(
        "lease",
        "lease_cases",
        "lease_lives",
        "lease_bus",
        "lease_client",
        "lease_kernel",
        options=(*CHECKED_TICK, LEASE_WRAPS),
        kernel=("lease_kernel",),
        imports=("bus_refuses",),
    ),
    "lease_budget": _target("lease_budget", "lease_client", options=MEASURES_TICK, package=True),
    "lease_combined": _target(
        "lease_combined", "lease_client", options=MEASURES_TICK, package=True
    ),
    "share": _target("share", "share_writer", "share_reader", options=CHECKED_TICK),
    "restart": _target(
        "restart",
        "restart_boss",
        "restart_hanger",
        "restart_slow",
        "restart_others",
        options=RESTART_TICK,
        package=True,
    ),
    "record": _target(
        "record",
        "record_others",
        "record_kernel",
        options=(
            *RECORD_TICK,
            "-Wl,--wrap=kernel_tick,--wrap=record_read,--wrap=record_start,--wrap=kernel_fault",
            "-Wl,--wrap=Reset_Handler",
        ),
        package=True,
        kernel=("record_kernel",),
        imports=(
            "kernel_order",
            "twin",
            "tick_address",
            "record_address",
            "flip_word",
            "flip",
            "flip_stays",
        ),
    ),
    "tickless": _target(
        "tickless",
        "tick_count",
        options=LONG_TICK,
        package=True,
        kernel=("tick_count",),
        imports=("tick_interrupts", "__wrap_bulkhead_idle"),
    ),
}

# Tests that repeat themselves, and how many times as often the long test repeats them.
REPEATED = ("floating", "preemption", "programs", "tickless")
LONG_LENGTH = 4


def lengthened(image: Image) -> Image:
    """Returns the image of the long test."""
    repeats = image.parts[0].removesuffix(".c") in REPEATED
    return replace(image, length=LONG_LENGTH) if repeats else image


# A Cortex-M7 with 16 MPU regions, the largest number that this core may have. QEMU's model has 8 by
# default.
CORTEX_M7F_16 = replace(
    CORTEX_M7F,
    name="cortex-m7f-16",
    emulator_options=("-global", "cortex-m7-arm-cpu.pmsav7-dregion=16"),
)

# The tests of these images, started by a boot loader that leaves every register in the worst state.
LOADED = {
    name: replace(
        TARGET[name],
        parts=(*TARGET[name].parts, "loader.c"),
        options=(*TARGET[name].options, "-Wl,--wrap=Reset_Handler"),
        kernel=(*TARGET[name].kernel, "loader"),
        package=True,
    )
    for name in ("isolation", "threads")
}

# Other cores on their own machines, with the tests that a core is most likely to affect; with
# --long, every test that the core can run.
OTHER_CORES: dict[Core, tuple[str, ...]] = {
    CORTEX_M3: ("isolation", "lease", "threads"),
    CORTEX_M7F: ("isolation", "calls", "floating", "lease", "threads"),
    CORTEX_M33F: (
        "isolation", "calls", "driver", "ends", "floating", "lazy", "positions", "threads",
        "waits", "apart", "share", "share_switch", "restart", "record", "measures", "log", "lease",
        "programs",
    ),
    CORTEX_M55F: ("driver", "floating", "isolation", "lease", "threads"),
}  # fmt: skip
# Tests that state times in counts of the timer. Their tick has the same number of counts on every
# core.
STATE_COUNTS = ("driver", "budget", "late", "tickless")
# Tests that need no device except SysTick.
WITHOUT_DEVICE = (
    "isolation", "threads", "calls", "floating", "waits", "preemption", "signals", "stacks",
    "apart", "share", "lease",
)  # fmt: skip
# Further tests that need a device that interrupts.
WITH_DEVICE = ("driver", "due", "ends", "sets", "chain", "tangle", "tickless")
# Further tests that need no device except a clock.
WITH_CLOCK = ("budget", "late", "lease_budget", "lease_combined", "log", "measures", "restart")
USE_FPU = ("calls", "floating", "lazy", "programs")


def of_core(core: Core, *, long: bool) -> tuple[str, ...]:
    if not long:
        return OTHER_CORES[core]
    if core == CORTEX_M55F:
        return (*WITHOUT_DEVICE, *WITH_DEVICE, *WITH_CLOCK)
    return tuple(name for name in TARGET if core.has_fpu or name not in USE_FPU)


def on_core(core: Core, name: str) -> Image:
    """Returns a test for a core on its own machine."""
    keeps_counts = name in STATE_COUNTS and core != CORTEX_M55F
    image = replace(TARGET[name], keeps_counts=keeps_counts)
    if core == CORTEX_M33F and image.platform == _INJECTION:
        more = (_LAZY_STACK_M33F,) if name == "lazy" else ()
        own = tuple(each for each in image.options if each not in _INJECTED)
        options = (*_M33F_INJECTED, *(more or own))
        return replace(image, platform=_M33F_INJECTION, options=options)
    if core not in (CORTEX_M33F, CORTEX_M55F) or not image.package:
        return image
    return replace(
        image,
        parts=(*image.parts, f"armv8-m/{core.machine}/open_timers.c"),
        options=(*image.options, "-Wl,--wrap=bulkhead_start"),
        kernel=(*image.kernel, "open_timers"),
    )


_REGISTERS = Image(
    "target", "rv32/registers.toml", ("rv32/registers.c", "rv32/fill.S", "report.c"), CHECKED_TICK
)
_TRACE = "trace_events = 64\ntrace_calls = true\nthread_times = true"


# Tests that also run on RV32, which has a few more tests of its own.
_SHARED = (
    "isolation", "preemption", "calls", "signals", "stacks", "waits", "sets", "due", "late",
    "ends", "threads", "driver", "tangle", "chain", "budget", "tickless", "apart",
    "share", "restart", "record", "measures", "log", "lease",
    "lease_budget", "lease_combined", "programs",
)  # fmt: skip
RV32_TESTS = {name: TARGET[name] for name in _SHARED} | {
    "positions": RV32_POSITIONS,
    "registers": _REGISTERS,
    "registers_traced": replace(_REGISTERS, declared=("[image]", f"[image]\n{_TRACE}")),
}

# For each ablation (a variant of the kernel in bulkhead/ablation), the tests that it is most likely
# to break.
ABLATIONS = {
    "lookup-linear": ("isolation",),
    "lookup-binary": ("isolation",),
    "ready-scan": ("threads", "waits"),
    "stack-computed": ("isolation",),
    "switch-pendsv": ("calls", "threads"),
    "isolation-off": ("threads",),
}

# Some tests, in a kernel with checks of its state; one of them in a kernel that is corrupted on
# purpose.
CHECKED = {
    "threads": replace(TARGET["threads"], options=CHECKED_TICK, hooks="checks"),
    "calls": replace(TARGET["calls"], options=CHECKED_TICK, hooks="checks"),
    "signals": replace(TARGET["signals"], options=CHECKED_TICK, hooks="checks"),
    "waits": replace(TARGET["waits"], hooks="checks"),
    "sets": replace(TARGET["sets"], options=CHECKED_SETS, hooks="checks"),
    "spoilt": _target(
        "spoilt",
        "spoiler",
        declaration="spoilt.toml",
        options=(*TICK, "-Wl,--wrap=kernel_tick,--wrap=kernel_inconsistent"),
        hooks="checks",
        kernel=("spoiler",),
    ),
    "tangle": tangle(10_000, 1000, hooks="checks"),
    "lease": replace(TARGET["lease"], options=(*SLOW_TICK, LEASE_WRAPS), hooks="checks"),
}


# The files of the attack test that only one architecture has.
_MACHINE_PARTS = {"armv7-m": ("accomplice.c",), "rv32": ()}
_MACHINE_OPTIONS = {"armv7-m": (), "rv32": ("-Wl,--wrap=bulkhead_lines_serve",)}
# Symbols of addresses that the attacker tries to access, and of memory that the witness compares.
_AIMED_AT = {
    "armv7-m": ("vector_table", "SVC_Handler", "PendSV_Handler"),
    "rv32": (
        "arch_vectors", "trap", "arch_restore", "arch_copies_start",
        "arch_copies_end",
    ),
}  # fmt: skip
_WATCHED = (
    "guard_wrong", "guard_visits", "guard_late_counts", "guard_earliest", "keeper_wrong",
    "keeper_rounds", "witness_request", "judge_stack", "attacker_stack",
)  # fmt: skip


def attack(core: Core, seed: int, crafted: int, random: int) -> Image:
    """Returns the image of the attack with the given numbers of crafted and of random actions. The
    same seed gives the same actions.
    """
    common = ("judge", "plan", "grants", "attacker", "guard", "keeper", "watch", "witness")
    machine = (
        "hostile.S", "guard_sleep.S", "keeper_main.S", "machine_plan.c", "machine_witness.c",
        *_MACHINE_PARTS[core.arch],
    )  # fmt: skip
    counts = int(ATTACK_TICK_COUNTS * CORTEX_M4F.count_instructions / core.count_instructions)
    return Image(
        "attack",
        f"{core.arch}/system.toml",
        (*(f"{part}.c" for part in common), *(f"{core.arch}/{part}" for part in machine)),
        (
            f"-DBENCH_TIMER_HZ={100 * counts}", "-DBENCH_TICK_HZ=100",
            f"-DBULKHEAD_TICK_CYCLES={ATTACK_TICK_COUNTS}", f"-DATTACK_SEED={seed}u",
            f"-DATTACK_CRAFTED={crafted}u", f"-DATTACK_RANDOM={random}u",
            f"-DCOMMON_IS_WRITTEN={int(core == CORTEX_M4F)}",
            "-Wl,--wrap=kernel_fault", *_MACHINE_OPTIONS[core.arch],
        ),
        threads_speak=False,
        kernel=("witness", "machine_witness"),
        exports=("kernel", "kernel_threads", "arch_copy_in", *_AIMED_AT[core.arch]),
        imports=_WATCHED,
        more_declared="objects.toml",
    )  # fmt: skip
