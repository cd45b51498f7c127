# SPDX-License-Identifier: MIT
"""Generates Bulkhead's declaration from a scenario's table.

The table `bench_scenario` (bench/include/bench/scenario.h) is constant, so it can be read from the
scenario's object file: its words from the sections, its pointers from their relocations. The
configuration selects how tasks are assigned to processes.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bulkhead" / "tools"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import cmsis_rtos2
import scenario_table
from bulkhead_declare import check, emit_c, emit_interface, emit_ld, interface, placement, rights
from bulkhead_declare.model import (
    PRIORITIES,
    Action,
    DeclarationError,
    Flags,
    Gate,
    Interrupt,
    Memory,
    Mutex,
    Pool,
    Process,
    Queue,
    Region,
    Semaphore,
    System,
    Thread,
    Timer,
    Window,
)

# The first number of the lines that software requests (platform/arch/*/include/arch/interrupt.h).
FIRST_LINE = {"armv7-m": 16, "armv8-m": 16, "rv32": 0}

# QEMU's semihosting checks access rights only at the beginning of a page of this many bytes.
PAGE_BYTES = 1024

# Cores that are Armv8-M for Bulkhead, and belong to armv7-m in the laboratory.
ARMV8M_CORES = ("cortex-m33f", "cortex-m55f")

# The lab's scripts for the order of functions; there is one of each for each layout.
ORDER = emit_ld.Order(kernel="kernel_order.ld", processes="order.ld")

# The region of the scenario's variables and of its pools' blocks.
SCENARIO = "scenario"

# The size of the variables of the harness and the C library, besides those of the scenario and its
# objects.
HARNESS_BYTES = 512

# The stack of a gate's function: as much as the largest stack of a scenario's task.
GATE_STACK_BYTES = 512

# The ceiling of a scenario's process: its tasks may have any priority (bench/port.h).
HIGHEST = 0

_POSTS = "posts"
_ACTIONS = (_POSTS, "resumes", "notifies", "handler", "delivers")
_STATES = ("ready", "suspended", "dormant")


@dataclass(frozen=True)
class Arrangement:
    """The kernel's architecture, and how tasks are assigned to processes (the macros BULKHEAD_* of
    kernel.toml)."""

    arch: str

    each: bool  # whether each task has a process, or the processes are those of the scenario
    local: bool  # whether objects are in user space
    cmsis: bool  # whether the scenario uses the services by CMSIS-RTOS2


@dataclass(frozen=True)
class Division:
    """The process of each task and gate, and the processes that may use each object."""

    tasks: tuple[int, ...]
    gates: tuple[int, ...]
    declared: tuple[scenario_table.Process, ...]  # if empty, every process may use every object

    @property
    def processes(self) -> tuple[int, ...]:
        count = max((*self.tasks, *self.gates), default=0) + 1
        return tuple(range(max(count, len(self.declared))))

    def users(self, owned: scenario_table.Owned) -> frozenset[int]:
        if not self.declared:
            return frozenset(self.processes)
        others = (index for index in self.processes if owned.users >> index & 1)
        return frozenset((owned.process, *others))

    def process(self, index: int, pends: frozenset[int]) -> Process:
        """A task of the first process, which owns the scenario's variables, supervises all other
        processes."""
        name = f"process_{index}"
        if not self.declared or index == 0:
            return Process(name, ceiling=HIGHEST, pends=pends)
        return Process(
            name,
            self.declared[index].restarts,
            ceiling=HIGHEST,
            supervisor=self.tasks.index(0),
            pends=pends,
        )


def divide(scenario: scenario_table.Scenario, how: Arrangement) -> Division:
    tasks, gates = len(scenario.tasks), len(scenario.gates)
    if not how.each:
        return Division((0,) * tasks, (0,) * gates, ())
    if not scenario.processes:
        return Division(tuple(range(tasks)), tuple(range(tasks, tasks + gates)), ())
    return Division(
        tuple(task.process for task in scenario.tasks),
        tuple(gate.process for gate in scenario.gates),
        scenario.processes,
    )


def system(
    scenario: scenario_table.Scenario, how: Arrangement, memory: dict[str, Memory]
) -> System:
    tasks = scenario.tasks
    division = divide(scenario, how)
    everyone = frozenset(division.processes)
    threads = frozenset(range(len(tasks)))
    interrupts = frozenset(range(len(scenario.interrupts)))
    sized = _sized(
        System(
            architecture=how.arch,
            region_alignment=PAGE_BYTES if how.arch == "armv8-m" else 1,
            code=memory["code"],
            data=memory["data"],
            processes=tuple(division.process(i, interrupts) for i in division.processes),
            threads=tuple(
                Thread(
                    name=f"task_{i}",
                    entry=f"scenario_task_{i}",
                    stack_bytes=task.stack_bytes,
                    priority=task.priority - 1,
                    process=division.tasks[i],
                    initially=_STATES[task.initially],
                )
                for i, task in enumerate(tasks)
            )
            + tuple(_server(i, process) for i, process in enumerate(division.gates)),
            regions=(Region(SCENARIO, scenario.data_bytes, 0, everyone, ("*",)),),
            windows=_windows(scenario, memory, everyone),
            semaphores=tuple(
                Semaphore(each.initial, each.maximum, division.users(each), how.local)
                for each in scenario.semaphores
            ),
            mutexes=tuple(Mutex(division.users(each), how.local) for each in scenario.mutexes),
            flags=tuple(
                Flags(each.initial, division.users(each), how.local) for each in scenario.flags
            ),
            gates=tuple(
                Gate(len(tasks) + i, division.users(each)) for i, each in enumerate(scenario.gates)
            ),
            queues=tuple(
                Queue(each.capacity, each.message_bytes, division.users(each), how.local)
                for each in scenario.queues
            ),
            pools=tuple(_pool(each, division, how.local) for each in scenario.pools),
            interrupts=tuple(
                Interrupt(
                    FIRST_LINE[how.arch] + i,
                    f"Interrupt{i}_Handler",
                    Action(_ACTIONS[each.action], each.object),
                )
                for i, each in enumerate(scenario.interrupts)
            ),
            timers=tuple(
                Timer(Action(_POSTS, each.semaphore), division.users(each))
                for each in scenario.timers
            ),
            controls=dict.fromkeys(everyone, threads),
            notifies=dict.fromkeys(everyone, threads),
        )
    )
    if how.cmsis:
        sized = cmsis_rtos2.system(sized, scenario)
    return _with_console(sized) if how.arch == "rv32" else sized


def _with_console(declared: System) -> System:
    """Adds a console driver, which all tasks call by a gate, because the console's device needs
    access rights, unlike semihosting. Adds an unused queue, by which a task tests whether it is
    privileged (rv32/console.c)."""
    driver = len(declared.processes)
    everyone = frozenset(range(driver))
    return replace(
        declared,
        processes=(*declared.processes, Process("console")),
        threads=(
            *declared.threads,
            Thread("console", "console_main", GATE_STACK_BYTES, PRIORITIES - 1, driver),
        ),
        windows=(
            *declared.windows,
            Window("uart", 0x1000_0000, 16, frozenset((driver,))),
            Window("finisher", 0x0010_0000, 16, frozenset((driver,))),
        ),
        gates=(*declared.gates, Gate(len(declared.threads), everyone)),
        queues=(*declared.queues, Queue(1, 4, everyone)),
    )


def _pool(pool: scenario_table.Pool, division: Division, is_local: bool) -> Pool:
    region = "" if is_local else SCENARIO
    return Pool(pool.blocks, pool.block_bytes, division.users(pool), is_local, region)


def _server(gate: int, process: int) -> Thread:
    """Returns the server of a gate. It serves at its callers' priorities; its own is the lowest."""
    name = f"scenario_gate_{gate}"
    return Thread(name, name, GATE_STACK_BYTES, PRIORITIES - 1, process)


def _windows(
    scenario: scenario_table.Scenario, memory: dict[str, Memory], users: frozenset[int]
) -> tuple[Window, ...]:
    """Returns the device of bench/injection.h if the scenario uses it, and no other device."""
    if not scenario.injects:
        return ()
    device = memory["watchdog"]
    return (Window("watchdog", device.origin, device.length, users),)


def _sized(declared: System) -> System:
    """Enlarges the region by the size of the objects in it."""
    buffers = sum(
        (1 << (each.capacity - 1).bit_length()) * each.message_bytes
        for each in declared.queues
        if each.local
    )
    blocks = sum(each.blocks * each.block_bytes for each in declared.pools)
    region = declared.regions[0]
    room = region.bytes + buffers + blocks + HARNESS_BYTES
    return replace(declared, regions=(replace(region, bytes=room),))


def gates(count: int) -> str:
    """Returns the C code of the gates' servers."""
    lines = []
    for index in range(count):
        name = f"scenario_gate_{index}"
        lines.append(f"void {name}(void);")
        lines.append(f"void {name}(void) {{")
        lines.append(f"    serve(GATE_HANDLES + {index}, bench_scenario.gates[{index}].function);")
        lines.append("}")
    return "\n".join(lines) + "\n"


def entries(count: int) -> str:
    """Returns C functions, each with its own name, that call the tasks' static entries."""
    lines = ["// SPDX-License-Identifier: MIT", "#include <bench/port.h>"]
    for index in range(count):
        name = f"scenario_task_{index}"
        lines.append(f"void {name}(void);")
        lines.append(f"void {name}(void) {{")
        lines.append(f"    bench_scenario.tasks[{index}].entry();")
        lines.append('    bench_fail("a task\'s entry returned");')
        lines.append("}")
    return "\n".join(lines) + "\n"


def port(declared: System, objects: str) -> str:
    """Returns the port with the scenario's handles as constants, after the objects that it uses."""
    first = rights.first_handles(declared)
    lines = [f"    {kind.upper()}_HANDLES = {handle}," for kind, handle in first.items()]
    files = [objects, '#include "port.c"']
    if declared.architecture == "rv32":
        lines.append(f"    CONSOLE_GATE = {first['gate'] + len(declared.gates) - 1},")
        lines.append(f"    UNUSED_QUEUE = {first['queue'] + len(declared.queues) - 1},")
        files.append('#include "console.c"')
    return "\n".join(("enum {", *lines, "};", *files, ""))


def _memory(text: str) -> tuple[str, Memory]:
    name, _, numbers = text.partition("=")
    origin, length = (int(number, 0) for number in numbers.split(","))
    return name, Memory(origin, length)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenario", type=Path, required=True, help="object file of the scenario")
    parser.add_argument("--arch", required=True, help="name of a folder in platform/arch")
    parser.add_argument("--core", required=True, help="name of a file in platform/cores")
    parser.add_argument(
        "--beside",
        action="append",
        type=Path,
        default=[],
        help="object file of the scenario's workload; repeatable",
    )
    parser.add_argument("--memory", action="append", type=_memory, required=True)
    parser.add_argument(
        "--define", action="append", default=[], help="NAME=VALUE, a define of kernel.toml"
    )
    parser.add_argument("--depfile", type=Path, required=True)
    parser.add_argument("output", type=Path, nargs=4, help="tables, objects, script, interface")
    return parser.parse_args()


def depfile(output: Path) -> str:
    """Returns the output's dependencies other than the scenario: this program's own modules."""
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    own = sorted(
        file for file in files if file and not file.startswith((sys.prefix, sys.base_prefix))
    )
    words = (str(file).replace(" ", "\\ ") for file in own)
    return f"{output}: {' '.join(words)}\n"


def main() -> None:
    arguments = _arguments()
    defines = dict(each.split("=", 1) for each in arguments.define)
    how = Arrangement(
        arch="armv8-m" if arguments.core in ARMV8M_CORES else arguments.arch,
        each=defines["BULKHEAD_PROCESSES"] == "each",
        local=defines["BULKHEAD_OBJECTS"] == "local",
        cmsis=defines.get("BULKHEAD_API") == "cmsis-rtos2",
    )
    try:
        scenario = scenario_table.read(arguments.scenario, arguments.beside)
        declared = system(scenario, how, dict(arguments.memory))
        check.check(declared)
        placed = placement.place(declared)
        texts = (
            emit_c.kernel_tables(declared, placed),
            "".join(
                (
                    emit_c.user_objects(declared, placed),
                    entries(len(scenario.tasks)),
                    port(declared, cmsis_rtos2.objects(scenario) if how.cmsis else ""),
                    gates(len(scenario.gates)),
                )
            ),
            emit_ld.script(declared, placed, ORDER),
            interface.text(emit_interface.of(declared, placed)),
        )
    except DeclarationError as error:
        sys.exit(f"error: {error}")
    for file, text in zip(arguments.output, texts, strict=True):
        file.write_text(text)
    arguments.depfile.write_text(depfile(arguments.output[0]))


if __name__ == "__main__":
    main()
