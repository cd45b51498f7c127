# SPDX-License-Identifier: MIT
"""The default target: an unmodified QEMU with the observer as its plugin.

Time is counted in instructions (`-icount shift=0`) and no state of the host enters the log, so that
an image and a plan give the same log on every machine. The observation includes QEMU's message
about its own end (an abort, a lockup) and the location of a guest that hung.
"""

from __future__ import annotations

import json
import re
import signal
import socket
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import IO, TextIO

from ticklab.bootstrap import system, tables
from ticklab.building import elf
from ticklab.description.machine import Emulated
from ticklab.description.model import End
from ticklab.digest import hash_file
from ticklab.errors import TicklabError
from ticklab.targets import booted, emulator, eventlog, schema
from ticklab.targets.process import Limits, Outcome, Stopped, supervise
from ticklab.targets.protocol import Cancel, Ending, Observation, ObservationPlan, guest_of

# The number of bytes of a guest's console that are kept; the rest is discarded. A scenario prints
# one line with its verdict, and a sweep prints one line for each position of its interrupt.
CONSOLE_BYTES = 256 * 1024
# A guest that prints this many bytes is stopped, because it would reach other limits only after
# minutes.
FLOOD_BYTES = 8 * CONSOLE_BYTES
# Greatest size of the event log in bytes. It has room for tens of millions of passes, more than any
# plan requests.
LOG_BYTES = 1 << 30
# Seconds after which a sleeping QEMU counts as hung. Virtual time needs no waiting, so QEMU sleeps
# only if the guest waits and no timer will wake it.
IDLE_S = 2.0
# The lowest speed to expect: instructions in a second of processor time, for a run with the cycle
# model and many exceptions on an old machine.
SLOWEST_INSTRUCTIONS_PER_S = 1_000_000
START_S = 30.0
# Seconds to wait for an answer of QEMU, which may take seconds on a busy machine.
ANSWER_S = 30.0
# Matches the program counter in QEMU's list of registers, for Arm and for RISC-V.
_PC = re.compile(r"(?:R15=| pc +)([0-9a-f]{8})")
_TRAP = re.compile(r" (pc|mtvec|mepc) +([0-9a-f]{8})")
# The reason for which the observer's system-call filter (observer/qemu-plugin/src/confine.rs) has
# killed QEMU.
_NO_PROGRAMS = "the guest tried to run a program on the host, by semihosting"
_OBSERVER = "ticklab: "
_FLOODS = {
    Stopped.OUTPUT: f"it wrote more than {FLOOD_BYTES >> 20} MB to its console; let it print less",
    Stopped.FILE: f"its marks are more than {LOG_BYTES >> 30} GB of events; mark a place that is "
    "passed less often, or end earlier with --until",
}
_FATAL = re.compile(r"qemu: fatal: |qemu-system-\w+: ")


@dataclass(frozen=True)
class Qemu:
    plugin: Path
    arch: str = tables.DEFAULT
    idle_s: float = IDLE_S
    start_s: float = START_S
    log: Path | None = None  # where to keep the event log
    request: Path | None = None  # file with the request for an explanation
    interrupts: int | None = None  # file descriptor to which QEMU traces the states of interrupts
    events: tuple[str, ...] = ()  # events that QEMU traces
    memory: Path | None = None  # file for the memory of a booted machine, after the run

    def identity(self) -> Mapping[str, str]:
        return {"name": "qemu", "version": _version(self.arch), "observer": _observer(self.plugin)}

    def observe(self, image: Path, plan: ObservationPlan, cancel: Cancel) -> Observation:
        guest = guest_of(image, plan)
        with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
            return _Session(guest, plan, Path(scratch), self).run(cancel)


def path_of(descriptor: int) -> str:
    """Returns the file name by which a child process can open the file of an inherited
    descriptor."""
    return f"/proc/self/fd/{descriptor}"


@cache
def _version(arch: str) -> str:
    return system.dotted(system.require(system.emulator(arch)))


@cache
def _observer(plugin: Path) -> str:
    if not plugin.exists():
        raise TicklabError(f"the observer {plugin} is not built", "run './ticklab doctor'")
    return hash_file(plugin)


@dataclass
class _Session:
    """One QEMU process, from its plan to its observation."""

    guest: elf.Elf
    plan: ObservationPlan
    scratch: Path
    target: Qemu
    # The registers of a guest that hung, as QEMU prints them.
    _registers: list[str] = field(default_factory=list)

    def run(self, cancel: Cancel) -> Observation:
        ours, theirs = socket.socketpair()
        with ours, theirs, self._state() as state:
            outcome = supervise(
                self._command(theirs.fileno(), state),
                self._limits(),
                cancel,
                on_hang=lambda: self._end_hang(ours),
                pass_fds=[theirs.fileno(), *self._passed(state)],
            )
        return self._panicked() or self._observation(outcome)

    def _passed(self, state: IO[bytes] | None) -> Iterator[int]:
        """Yields the file descriptors that the QEMU process inherits."""
        if state:
            yield state.fileno()
        if self.target.interrupts is not None:
            yield self.target.interrupts

    @contextmanager
    def _state(self) -> Iterator[IO[bytes] | None]:
        """Opens the saved state of the booted machine, if the plan boots a kernel."""
        if self.plan.boot is None:
            yield None
            return
        machine = booted.Machine(self.plan.boot, self.plan.core, self._machine)
        with booted.state(machine).open("rb") as stream:
            yield stream

    def _panicked(self) -> Observation | None:
        """Returns the observation of a booted kernel that panicked."""
        reason = booted.panic(self._kernel_log)
        detail = f"the kernel panicked: {reason}"
        return Observation(Ending(End.ABORTED, "", detail), None) if reason else None

    @property
    def _kernel_log(self) -> Path:
        """Returns the file in which a booted kernel reports its own errors."""
        return self.scratch / "kernel.log"

    def _command(self, control: int, state: IO[bytes] | None) -> Sequence[str]:
        plan = self.scratch / "plan.json"
        plan.write_bytes(schema.encode(self.plan.document(self.guest.path, self._log)))
        request = self.target.request
        explain = f",explain={emulator.escaped(request)}" if request else ""
        plugin = f"{emulator.escaped(self.target.plugin)},plan={emulator.escaped(plan)}{explain}"
        return [
            emulator.program(self.plan.core),
            *("-chardev", "stdio,id=con,signal=off"),
            *self._trace(),
            *("-chardev", f"socket,id=control,fd={control}"),
            *("-mon", "chardev=control,mode=control"),
            *("-plugin", plugin),
            *self._guest(state),
        ]

    def _trace(self) -> Sequence[str]:
        if self.target.interrupts is None:
            return ()
        traced = (word for event in self.target.events for word in ("-trace", event))
        return ("-D", path_of(self.target.interrupts), *traced)

    def _guest(self, state: IO[bytes] | None) -> list[str]:
        """Returns the options for the machine and its guest, which is an image, or a program of a
        booted kernel whose machine continues from `state`."""
        if self.plan.boot and state:
            booted_machine = booted.Machine(self.plan.boot, self.plan.core, self._machine)
            image = self.guest.path.resolve()
            options = booted.options(booted_machine, image, state.fileno(), self._kernel_log)
            return [*options, *booted.in_file(self._machine, self.target.memory)]
        machine = emulator.machine(self.plan.core, self._machine)
        return [*machine, "-kernel", str(self.guest.path)]

    @property
    def _machine(self) -> Emulated:
        assert isinstance(self.plan.machine, Emulated)
        return self.plan.machine

    def _limits(self) -> Limits:
        processor_s = self.target.start_s + self.plan.instructions / SLOWEST_INSTRUCTIONS_PER_S
        return Limits(
            CONSOLE_BYTES,
            self.target.idle_s,
            processor_s,
            FLOOD_BYTES,
            file=self._log.with_name(self._log.name + ".part"),
            file_bytes=LOG_BYTES,
        )

    @property
    def _log(self) -> Path:
        return self.target.log or self.scratch / "events.log"

    def _observation(self, outcome: Outcome) -> Observation:
        if outcome.stopped or not self._log.exists():
            ending = replace(self._broken_off(outcome), flooded=outcome.flooded)
            return Observation(ending, self._until_hang(outcome))
        log = eventlog.read(self._log)
        symbol = (log.pc is not None and self.guest.symbol_at(log.pc)) or log.symbol
        console = self.guest.name_places(outcome.stdout)
        status = outcome.status if self._says_status(log) else None
        ending = Ending(log.end, console, log.detail, log.pc, symbol, None, status)
        return Observation(replace(ending, flooded=outcome.flooded), log)

    def _end_hang(self, control: socket.socket) -> bool:
        """Asks QEMU for the registers of a guest that hangs, and then to end. The observer writes
        its log when QEMU ends."""
        self._registers.extend(_quit(control))
        return bool(self._registers)

    def _until_hang(self, outcome: Outcome) -> eventlog.EventLog | None:
        """Returns the event log of a guest that hung, if QEMU wrote it."""
        return eventlog.read(self._log) if self._log.exists() else None

    def _says_status(self, log: eventlog.EventLog) -> bool:
        """Returns whether QEMU's exit status is that of the guest. It is not if the observer ends
        the run at a store to the exit register."""
        return log.end is End.EXIT and self._machine.exit_register is None

    def _broken_off(self, outcome: Outcome) -> Ending:
        if outcome.stopped:
            return self._hang(outcome)
        if outcome.status == -signal.SIGSYS:
            return Ending(End.REFUSED, outcome.stdout, _NO_PROGRAMS)
        place = re.search(_PC, outcome.stderr)
        ending = Ending(End.ABORTED, outcome.stdout, _last_words(outcome))
        return self._at(ending, int(place[1], 16)) if place else ending

    def _hang(self, outcome: Outcome) -> Ending:
        registers = "".join(self._registers)
        assert outcome.stopped
        if outcome.stopped in _FLOODS:
            return Ending(End.FLOODED, outcome.stdout, _FLOODS[outcome.stopped])
        asleep = outcome.stopped is Stopped.IDLE
        detail = "it sleeps and nothing will wake it" if asleep else "its time is up"
        ending = Ending(End.TIMED_OUT, outcome.stdout, detail)
        if _traps_for_ever(registers):
            ending = Ending(End.LOCKUP, outcome.stdout, "the first instruction of its trap handler")
        place = re.search(_PC, registers)
        return self._at(ending, int(place[1], 16)) if place else ending

    def _at(self, ending: Ending, pc: int) -> Ending:
        return replace(ending, pc=pc, symbol=self.guest.symbol_at(pc))


def _last_words(outcome: Outcome) -> str:
    """Returns the message with which the observer refused the run, if it did, otherwise QEMU's
    fatal message without the registers."""
    for line in outcome.stderr.splitlines():
        if line.startswith(_OBSERVER):
            return line.removeprefix(_OBSERVER)
    lines = [line for line in outcome.stderr.splitlines() if "warning" not in line and line.strip()]
    fatal = [line for line in lines if _FATAL.match(line)]
    words = (fatal or lines or [f"exit status {outcome.status}"])[0]
    return _FATAL.sub("", words, count=1)


def _traps_for_ever(registers: str) -> bool:
    """Returns whether a RISC-V guest is stuck because the first instruction of its trap handler
    traps. (An Arm core locks up instead, which QEMU reports.)"""
    found = dict(_TRAP.findall(registers))
    return len(found) == 3 and int(found["mtvec"], 16) & ~3 == int(found["mepc"], 16) == int(
        found["pc"], 16
    )


def _quit(control: socket.socket) -> list[str]:
    """Asks QEMU's machine protocol for the guest's registers, and then to end. Returns their list
    as text; nothing if QEMU does not answer."""
    control.settimeout(ANSWER_S)
    registers = {"command-line": "info registers"}
    try:
        with control.makefile("rw", encoding="utf-8") as stream:
            stream.readline()  # the greeting
            _ask(stream, {"execute": "qmp_capabilities"})
            answer = _ask(stream, {"execute": "human-monitor-command", "arguments": registers})
            _ask(stream, {"execute": "quit"})
    except (OSError, ValueError):
        return []
    return [answer] if re.search(_PC, answer) else []


def _ask(stream: TextIO, question: Mapping[str, object]) -> str:
    stream.write(json.dumps(question) + "\n")
    stream.flush()
    for line in stream:
        answer = json.loads(line)
        if "return" in answer or "error" in answer:  # not an event
            return str(answer.get("return"))
    return ""
