# SPDX-License-Identifier: MIT
"""Runs a child process that may hang, flood its output or outlive us, and lets it do none of that.

The child has a process group of its own, which is killed whatever happens here. If this process is
killed itself, the kernel kills the child (PR_SET_PDEATHSIG, by way of setpriv(1): it holds for the
thread that started the child, so that thread has to wait for it as well).

What a child may take is judged by its own processor time, and by its sleep as far as that was
watched: a machine that does much else, or starves this process, makes nothing look like a hang.
Knows nothing of QEMU.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from ticklab import plain_text
from ticklab.targets.protocol import Cancel, CancelledError

POLL_S = 0.1
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class Stopped(StrEnum):
    """Why the child was killed."""

    FLOOD = "flood"  # it wrote more than it may
    IDLE = "idle"  # all its threads slept for too long
    TIME = "time"  # it took too much processor time


@dataclass(frozen=True)
class Limits:
    output_bytes: int
    idle_s: float
    processor_s: float


@dataclass(frozen=True)
class Outcome:
    status: int  # as subprocess gives it: negative if a signal ended the child
    stdout: str
    stderr: str
    stopped: Stopped | None


@dataclass
class _Output:
    """What the child wrote, as far as the limit goes."""

    limit: int
    texts: dict[str, bytearray] = field(
        default_factory=lambda: {"stdout": bytearray(), "stderr": bytearray()}
    )

    def add(self, name: str, data: bytes) -> None:
        self.texts[name] += data[: self.limit + 1 - len(self.texts[name])]

    def flooded(self) -> bool:
        return any(len(text) > self.limit for text in self.texts.values())

    def text(self, name: str) -> str:
        return plain_text.shown(self.texts[name][: self.limit].decode(errors="replace"))


def supervise(
    command: Sequence[str],
    limits: Limits,
    cancel: Cancel,
    on_hang: Callable[[], None] = lambda: None,
    pass_fds: Sequence[int] = (),
) -> Outcome:
    """Runs `command` to its end, or ends it. `on_hang` may still ask a hanging child before it is
    killed."""
    output = _Output(limits.output_bytes)
    with _child(command, pass_fds) as child:
        stopped = _watch(child, limits, cancel, output)
        if stopped in (Stopped.IDLE, Stopped.TIME):
            on_hang()
        if stopped:
            _kill(child)
        status = child.wait()
    return Outcome(status, output.text("stdout"), output.text("stderr"), stopped)


@contextmanager
def _child(command: Sequence[str], pass_fds: Sequence[int]) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", "--", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=pass_fds,
        process_group=0,
    )
    try:
        yield child
    finally:
        _kill(child)
        child.communicate()


def _kill(child: subprocess.Popen[bytes]) -> None:
    if child.returncode is None:
        os.killpg(child.pid, signal.SIGKILL)


def _watch(
    child: subprocess.Popen[bytes], limits: Limits, cancel: Cancel, output: _Output
) -> Stopped | None:
    """Collects the output until the child ends (None) or has to be ended."""
    usage = _Usage(child.pid)
    with selectors.DefaultSelector() as pipes:
        for name in ("stdout", "stderr"):
            pipes.register(getattr(child, name), selectors.EVENT_READ, name)
        while pipes.get_map():
            _collect(pipes, output)
            if cancel.requested():
                raise CancelledError
            if output.flooded():
                return Stopped.FLOOD
            usage.look()
            if usage.idle_s > limits.idle_s:
                return Stopped.IDLE
            if usage.processor_s > limits.processor_s:
                return Stopped.TIME
    return None


def _collect(pipes: selectors.BaseSelector, output: _Output) -> None:
    for key, _ in pipes.select(POLL_S):
        data = os.read(key.fd, 1 << 16)
        output.add(key.data, data)
        if not data:
            pipes.unregister(key.fileobj)


class _Usage:
    """How much processor time a process used, and for how long it has neither used any nor wanted
    to.

    A process that a busy machine starves is runnable, and thus not idle. Nor is it while nobody
    looks: a look accounts for little more than the time between two looks, so that a child that
    ended while we were starved is not taken for a sleeper.
    """

    def __init__(self, pid: int) -> None:
        self.processor_s = 0.0
        self.idle_s = 0.0
        self._tasks = Path("/proc", str(pid), "task")
        self._looked = time.monotonic()

    def look(self) -> None:
        now = time.monotonic()
        used_s, wanting = self._used()
        if wanting or used_s != self.processor_s:
            self.processor_s, self.idle_s = used_s, 0.0
        else:
            self.idle_s += min(now - self._looked, 2 * POLL_S)
        self._looked = now

    def _used(self) -> tuple[float, bool]:
        """Seconds that all threads used, and whether one of them is running or wants to
        (proc(5))."""
        ticks, wanting = 0, False
        for task in self._tasks.glob("*/stat"):
            try:
                fields = task.read_text().rpartition(")")[2].split()
            except OSError:  # the thread has just ended
                continue
            ticks += int(fields[11]) + int(fields[12])
            wanting = wanting or fields[0] in "RD"
        return ticks / _TICKS_PER_S, wanting
