# SPDX-License-Identifier: MIT
"""Runs a child process and ends it if it hangs or would outlive this process. Output beyond a limit
is discarded, and the child runs on.

The child has its own process group, which is killed when supervision ends. If this process itself
is killed, the operating system kills the child (PR_SET_PDEATHSIG, set by setpriv(1)). The signal is
tied to the thread that started the child, so that thread also waits for it.

The limits are on the child's own processor time and on the sleep that was observed, so that a busy
machine, or one that starves this process, does not look like a hang. This module knows nothing of
QEMU.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import inf
from pathlib import Path

from ticklab import plain_text
from ticklab.targets.protocol import Cancel, CancelledError

POLL_S = 0.1
# A child that prints much does so in small pieces. This process waits so long between two reads
# that pieces gather in the pipe. Otherwise, on a busy machine, the two processes would alternate
# for each piece.
_CHATTY_BYTES, _GATHER_S = 4096, 0.01
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class Stopped(StrEnum):
    """The reason for which the child was killed."""

    IDLE = "idle"  # all its threads slept for too long
    TIME = "time"  # it used too much processor time
    OUTPUT = "output"  # it wrote far more than is kept
    FILE = "file"  # the file that it writes is too large


@dataclass(frozen=True)
class Limits:
    output_bytes: int  # of each stream; the rest is discarded
    idle_s: float
    processor_s: float
    flood_bytes: float = inf  # limit for the output of each stream, including what is discarded
    file: Path | None = None  # file that the child writes, whose size is limited
    file_bytes: int = 0
    ending_s: float = 10.0  # processor time for ending after the child was asked to end

    def of_end(self, used_s: float) -> Limits:
        """Returns the limits for a child that has used `used_s` of processor time and was asked to
        end."""
        return replace(self, processor_s=used_s + self.ending_s, flood_bytes=inf)


@dataclass(frozen=True)
class Outcome:
    status: int  # as in subprocess: negative if a signal ended the child
    stdout: str
    stderr: str
    stopped: Stopped | None
    flooded: bool = False  # more output than the limit was written


@dataclass
class _Output:
    """The child's output, up to a limit in bytes."""

    limit: int
    texts: dict[str, bytearray] = field(
        default_factory=lambda: {"stdout": bytearray(), "stderr": bytearray()}
    )

    written: dict[str, int] = field(default_factory=lambda: {"stdout": 0, "stderr": 0})

    def add(self, name: str, data: bytes) -> None:
        self.written[name] += len(data)
        self.texts[name] += data[: self.limit + 1 - len(self.texts[name])]

    def flooded(self) -> bool:
        return any(len(text) > self.limit for text in self.texts.values())

    def text(self, name: str) -> str:
        return plain_text.shown(self.texts[name][: self.limit].decode(errors="replace"))


def supervise(
    command: Sequence[str],
    limits: Limits,
    cancel: Cancel,
    on_hang: Callable[[], bool] = lambda: False,
    pass_fds: Sequence[int] = (),
) -> Outcome:
    """Runs `command` until it ends or exceeds a limit. Before a child that hangs or prints too much
    is killed, calls `on_hang` in another thread. `on_hang` may ask the child to end; it returns
    whether it did."""
    output = _Output(limits.output_bytes)
    with _child(command, pass_fds) as child, _pipes(child) as pipes:
        watch = _Watch(child, pipes, output, cancel)
        stopped = watch.until_end(limits)
        if stopped and stopped is not Stopped.FILE and watch.during(on_hang):
            watch.until_end(limits.of_end(watch.processor_s))
        if stopped:
            _kill(child)
        status = child.wait()
    said, complained = output.text("stdout"), output.text("stderr")
    return Outcome(status, said, complained, stopped, output.flooded())


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


@contextmanager
def _pipes(child: subprocess.Popen[bytes]) -> Iterator[selectors.BaseSelector]:
    with selectors.DefaultSelector() as pipes:
        for name in ("stdout", "stderr"):
            pipes.register(getattr(child, name), selectors.EVENT_READ, name)
        yield pipes


@dataclass
class _Watch:
    """Collects the output of a child until the child ends. Without a reader, the child would block
    when its pipe is full, and would neither answer nor end."""

    child: subprocess.Popen[bytes]
    pipes: selectors.BaseSelector
    output: _Output
    cancel: Cancel
    processor_s: float = 0.0  # processor time that the child had used when it exceeded a limit

    def until_end(self, limits: Limits) -> Stopped | None:
        """Waits until the child ends or exceeds a limit. Returns the exceeded limit, or None."""
        usage = Usage(self.child.pid)
        while self.pipes.get_map():
            self._collect()
            if self.cancel.requested():
                raise CancelledError
            if not usage.is_due():
                continue
            usage.look()
            if stopped := self._exceeded(limits, usage):
                self.processor_s = usage.processor_s
                return stopped
        return None

    def during(self, action: Callable[[], bool]) -> bool:
        """Runs `action` in another thread while this thread collects output, and returns the result
        of `action`."""
        with ThreadPoolExecutor(1) as pool:
            result = pool.submit(action)
            while not result.done():
                self._collect()
        return result.result()

    def _collect(self) -> None:
        for key, _ in self.pipes.select(POLL_S):
            data = os.read(key.fd, 1 << 16)
            self.output.add(key.data, data)
            if not data:
                self.pipes.unregister(key.fileobj)
        if max(self.output.written.values()) > _CHATTY_BYTES:
            time.sleep(_GATHER_S)

    def _exceeded(self, limits: Limits, usage: Usage) -> Stopped | None:
        if usage.idle_s > limits.idle_s:
            return Stopped.IDLE
        if usage.processor_s > limits.processor_s:
            return Stopped.TIME
        if max(self.output.written.values()) > limits.flood_bytes:
            return Stopped.OUTPUT
        if limits.file and _size(limits.file) > limits.file_bytes:
            return Stopped.FILE
        return None


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:  # the child has not created the file yet, or has renamed it
        return 0


class Usage:
    """Measures the processor time that a process used, and how long all its threads have slept.

    A process that gets no processor time on a busy machine is runnable, and so does not count as
    asleep. Each measurement adds at most two polling periods of sleep, so that a child that ended
    while this process got no processor time does not count as asleep for long.
    """

    def __init__(self, pid: int) -> None:
        self.processor_s = 0.0
        self.idle_s = 0.0
        self._tasks = Path("/proc", str(pid), "task")
        self._looked = time.monotonic()

    def is_due(self) -> bool:
        return time.monotonic() - self._looked >= POLL_S / 2

    def look(self) -> None:
        now = time.monotonic()
        used_s, wanting = self._used()
        if wanting or used_s != self.processor_s:
            self.processor_s, self.idle_s = used_s, 0.0
        else:
            self.idle_s += min(now - self._looked, 2 * POLL_S)
        self._looked = now

    def _used(self) -> tuple[float, bool]:
        """Returns the seconds that all threads used, and whether one of them is runnable
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
