# SPDX-License-Identifier: MIT
"""Measures the speed of Ticklab as ratios of processor time, which are comparable between machines.

The two actions that a ratio compares are measured alternately, so that other load or a change of
clock affects both. The result is the median of the ratios. Processor time is user and system time
of child processes. Only `bench` uses this module: no figure of a kernel depends on it.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ticklab import paths
from ticklab.description.machine import Emulated
from ticklab.description.model import Case, End, Profile
from ticklab.errors import TicklabError
from ticklab.explain import second_run
from ticklab.measurement import profiling
from ticklab.targets import emulator, schema
from ticklab.targets.protocol import Cancel, ObservationPlan, until_instructions
from ticklab.targets.qemu import Qemu
from ticklab.targets.verilator import Verilator

# Executes something and returns how much it executed: a number of instructions, or 1.
Action = Callable[[], float]

_POLL_S = 0.02
RATE = "-rate"


def seconds(action: Action) -> float:
    """Returns the wall-clock time of one execution of an action, in seconds."""
    begun = time.monotonic()
    action()
    return time.monotonic() - begun


def _processor_time(action: Action) -> float:
    """Returns the processor time of child processes in seconds, divided by the amount that `action`
    executed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work = action()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / work


def ratios(
    baseline: Action,
    others: Mapping[str, Action],
    turns: int,
    time_of: Callable[[Action], float] | None = None,
    rated: str | None = None,
) -> dict[str, float]:
    """Returns the time of the same work, by default of the processor, each relative to the baseline
    in the same repetition. Adds, as `rated` and RATE, how much that action executes in a second, in
    millions. Unlike a ratio, this depends on the machine."""
    time_of = time_of or _processor_time
    found: dict[str, list[float]] = {name: [] for name in others}
    times: list[float] = []
    for _ in range(turns):
        base = time_of(baseline)
        for name, action in others.items():
            time_s = time_of(action)
            found[name].append(time_s / base)
            if name == rated:
                times.append(time_s)
    measured = {name: statistics.median(each) for name, each in found.items()}
    return measured | ({f"{rated}{RATE}": 1e-6 / statistics.median(times)} if times else {})


# --- The observer ---------------------------------------------------------------------------------


def observed(
    case: Case, image: Path, n: int, profile: Profile | None = None, log: Path | None = None
) -> Action:
    """Returns an action that runs QEMU with the observer for `n` instructions. With `profile`, the
    observer also models cycles; with `log`, it writes the log to that file."""
    plan = _plan(case, n, profile)

    def act() -> float:
        ending = Qemu(paths.plugin(), log=log).observe(image, plan, Cancel()).ending
        if ending.end is not End.INSTRUCTIONS:
            why = ending.detail or ending.end
            raise TicklabError(
                f"{case.scenario.name} ended early: {why}", "'ticklab run' says more"
            )
        return n

    return act


def explained(case: Case, image: Path, n: int, profile: Profile | None, log: Path) -> Action:
    """Returns an action that explains the first span of a run. The first run, whose log is written
    to `log`, is made when this function is called."""
    observed(case, image, n, profile, log)()
    spans, warm_up = case.scenario.spans, case.scenario.plan.warm_up
    about = second_run.About(spans, 0, warm_up, case.variant.clock_hz, kernel=None)
    target, plan = Qemu(paths.plugin()), _plan(case, n, profile)
    first = second_run.FirstRun(target, image, plan, log, about)

    def act() -> float:
        second_run.explain(first, spans[:1])
        return n

    return act


def followed(case: Case, image: Path, n: int, profile: Profile | None = None) -> Action:
    """Returns an action that runs an image as `profile` does."""

    def act() -> float:
        profiling.followed(image, case.variant.board, n, profile)
        return n

    return act


def _plan(case: Case, n: int, profile: Profile | None) -> ObservationPlan:
    data = None if profile is None else profile.data
    return replace(until_instructions(case.variant.board, n), profile=data)


def unobserved(case: Case, image: Path, n: int) -> Action:
    """Returns an action that runs the same QEMU with `-icount` and without a plugin for about `n`
    instructions. Semihosting calls go to a debugger that does not exist, so that the guest cannot
    reach the host."""
    core, machine = case.variant.core, case.variant.board.machine
    assert isinstance(machine, Emulated)
    command = [
        *(emulator.program(core), "-chardev", "null,id=con"),
        *(word.replace("target=native", "target=gdb") for word in emulator.machine(core, machine)),
        *("-qmp", "stdio", "-kernel", str(image)),
    ]

    def act() -> float:
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nothing, text=True) as qemu:
            try:
                return _run_until(qemu, n)
            finally:
                qemu.kill()

    return act


def _run_until(qemu: subprocess.Popen[str], n: int) -> float:
    """Lets QEMU run until it has executed `n` instructions, stops it, and returns their number."""
    _ask(qemu, "qmp_capabilities")
    while _executed(qemu) < n:
        time.sleep(_POLL_S)
    _ask(qemu, "stop")
    executed = _executed(qemu)
    _ask(qemu, "quit")
    return executed


def _executed(qemu: subprocess.Popen[str]) -> int:
    return int(_ask(qemu, "query-replay")["icount"])


def _ask(qemu: subprocess.Popen[str], question: str) -> Any:
    assert qemu.stdin is not None
    assert qemu.stdout is not None
    qemu.stdin.write(json.dumps({"execute": question}) + "\n")
    qemu.stdin.flush()
    for line in qemu.stdout:
        answer = json.loads(line)
        if "return" in answer:
            return answer["return"]
    raise TicklabError("QEMU ended too early", "run 'ticklab doctor'")


# --- The RTL simulation ---------------------------------------------------------------------------


def clocked(case: Case, image: Path, cycles: int) -> Action:
    """Returns an action that runs the simulated hardware, which records marks and writes a log."""
    plan = replace(until_instructions(case.variant.board, cycles), bus_latency=case.bus_latency)

    def act() -> float:
        ending = Verilator(case.nodes).observe(image, plan, Cancel()).ending
        if ending.end is not End.INSTRUCTIONS:
            raise TicklabError(f"{case.scenario.name} ended early: {ending.detail or ending.end}")
        return cycles

    return act


def unclocked(case: Case, image: Path, cycles: int) -> Action:
    """Returns an action that runs the same simulated hardware without recording marks."""
    simulator = Verilator(case.nodes).simulator
    plan = replace(until_instructions(case.variant.board, cycles), bus_latency=case.bus_latency)

    def act() -> float:
        with tempfile.NamedTemporaryFile() as file:
            file.write(schema.encode(plan.document(image, Path("none"))))
            file.flush()
            return command([str(simulator), "--unobserved", file.name])() * cycles

    return act


# --- The laboratory -------------------------------------------------------------------------------


_TICKLAB = (sys.executable, "-P", "-m", "ticklab")


def ticklab(*words: str, home: Path | None = None) -> Action:
    """Returns an action that runs a command line of Ticklab, with the files of `home`."""
    return command([*_TICKLAB, *words], {} if home is None else {"TICKLAB_HOME": str(home)})


def command(words: Sequence[str], variables: Mapping[str, str] = {}) -> Action:
    def act() -> float:
        done = subprocess.run(
            words,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **variables},
        )
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise TicklabError(
                f"'{' '.join(words)}' ended with status {done.returncode}: {last}",
                "make it pass before its speed is measured",
            )
        return 1

    return act


def from_empty(store: Path, action: Action) -> Action:
    """Returns an action that empties the store and then carries out `action`."""

    def act() -> float:
        shutil.rmtree(store, ignore_errors=True)
        return action()

    return act


# --- Campaigns ------------------------------------------------------------------------------------

# The parts of a folder of Ticklab in which nothing was built or measured yet.
_INSTALLED = ("bytecode", "dask", "debian", "observer", "setup", "sources", "venv")


class Resources(NamedTuple):
    """The processor time and the memory of one process, without its children."""

    seconds: float
    megabytes: float


def resources(*words: str) -> Resources:
    """Returns what one command line of Ticklab takes."""
    with subprocess.Popen([*_TICKLAB, *words], stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise TicklabError(f"'ticklab {' '.join(words)}' ended with status {process.returncode}")
    return Resources(used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3)


def cold_campaign(file: Path, workers: int, home: Path) -> Action:
    """Returns an action that empties `home`, except for the installed tools, and carries out a
    campaign with that number of local workers."""
    run = ticklab("campaign", str(file), "--local", str(workers), home=home)

    def act() -> float:
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        for name in _INSTALLED:
            if (installed := paths.home() / name).exists():
                (home / name).symlink_to(installed)
        return run()

    return act
