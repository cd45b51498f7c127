# SPDX-License-Identifier: MIT
"""Steps an image in an unmodified QEMU, instruction by instruction, and pends its interrupts from
outside.

QEMU's debug server (the GDB Remote Serial Protocol) stops and steps the processor, and its test
protocol (docs/devel/testing/qtest.rst of QEMU) raises the line of an interrupt while the processor
is stopped. The guest executes the instructions of its image and no others, and only the steps are
counted. The observer's plugin counts nothing here: it only confines the guest.
"""

from __future__ import annotations

import select
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ticklab import paths
from ticklab.building import elf
from ticklab.description.machine import Emulated
from ticklab.description.model import Board
from ticklab.errors import TicklabError, UsageError
from ticklab.targets.process import POLL_S, Usage

# A guest counts as hung if it does not reach the awaited address after this many seconds of
# processor time, or of sleep.
PATIENCE_S = 10.0
_SP, _LR, _PC = 13, 14, 15
# Values for QEMU's request Qqemu.sstep: step with and without interrupts. With both, timers are
# stopped.
_WITH_INTERRUPTS, _WITHOUT_INTERRUPTS = 5, 7


@dataclass(frozen=True)
class Registers:
    sp: int
    lr: int
    pc: int


@dataclass
class Stepper:
    """The processor of an emulated machine that is stopped. Errors do not name the image; the
    caller adds the name."""

    debugger: socket.socket
    lines: socket.socket
    emulator: int  # process id of QEMU
    name: str
    controller: str  # QEMU's object whose inputs are the interrupt lines
    patience_s: float = PATIENCE_S
    runs: int = 0  # calls of `run_to`
    _received: bytes = field(default=b"", repr=False)

    def run_to(self, address: int) -> None:
        """Runs until the instruction at `address` is about to execute."""
        self.runs += 1
        self._ask(f"Z0,{address:x},2")
        answer = self._ask("c")
        self._ask(f"z0,{address:x},2")
        if not answer.startswith("T05"):
            what = f"{self.name} ended before it reached {address:#x}"
            raise TicklabError(what, "choose a --from that the image executes")

    def step(self) -> Registers:
        self._ask("s")
        return self.registers()

    def take_interrupts(self, wanted: bool) -> None:
        """Sets whether interrupts are taken while the processor is stepped. Timers are always
        stopped while stepping: with `sleep=off`, virtual time advances to the next timer at each
        stop, so that a tick would come at every step."""
        self._ask(f"Qqemu.sstep={_WITH_INTERRUPTS if wanted else _WITHOUT_INTERRUPTS:x}")

    def registers(self) -> Registers:
        words = self._ask("g")
        values = (words[8 * number : 8 * number + 8] for number in (_SP, _LR, _PC))
        return Registers(*(int.from_bytes(bytes.fromhex(value), "little") for value in values))

    def word(self, address: int) -> int | None:
        """Returns the word at an address of memory or of a device; None if nothing is there."""
        answer = self._ask(f"m{address:x},4")
        return None if answer.startswith("E") else int.from_bytes(bytes.fromhex(answer), "little")

    def pend(self, line: int) -> None:
        """Raises the line of an interrupt and lowers it again, so that the interrupt is pended
        once."""
        for level in (1, 0):
            order = f"set_irq_in {self.controller} unnamed-gpio-in {line} {level}\n"
            self.lines.sendall(order.encode())
            answer = self._read_from(self.lines)
            if not answer.startswith(b"OK"):
                what = f"{self.name}: the board in QEMU has no interrupt line {line}"
                raise TicklabError(what, "name another --line")

    def _ask(self, packet: str) -> str:
        data = packet.encode()
        self.debugger.sendall(b"$%s#%02x" % (data, sum(data) & 0xFF))
        return self._packet()

    def _packet(self) -> str:
        """Returns the content of the next packet, `$…#` and two digits of its sum."""
        while True:
            begin = self._received.find(b"$")
            end = self._received.find(b"#", begin)
            if 0 <= begin < end and len(self._received) >= end + 3:
                content = self._received[begin + 1 : end].decode("ascii", "replace")
                self._received = self._received[end + 3 :]
                self.debugger.sendall(b"+")
                return content
            self._received += self._read_from(self.debugger)

    def _read_from(self, link: socket.socket) -> bytes:
        for wait in self._waits():
            if select.select([link], [], [], wait)[0]:
                if data := link.recv(1 << 16):
                    return data
                break
        raise TicklabError(
            f"{self.name}: the guest ended, or came no further in {self.patience_s:g} s",
            "choose a --from that the image executes repeatedly",
        )

    def _waits(self) -> Iterator[float]:
        """Yields the seconds to wait for an answer, until QEMU has worked or slept for too long."""
        usage = Usage(self.emulator)
        yield POLL_S
        usage.look()
        limit_s = usage.processor_s + self.patience_s
        while usage.processor_s < limit_s and usage.idle_s < self.patience_s:
            yield POLL_S
            usage.look()


@contextmanager
def stopped(image: Path, board: Board) -> Iterator[Stepper]:
    """Yields the processor of `image`, stopped at reset."""
    machine = board.machine
    if not isinstance(machine, Emulated) or not board.core.arch.has_reset_vectors:
        raise UsageError(f"board {board.name} has no interrupts to pend", "choose another --board")
    elf.require_core(elf.read(image), board.core, board.vectors)
    (debugger, theirs), (lines, others) = socket.socketpair(), socket.socketpair()
    with debugger, theirs, lines, others:
        files = (theirs.fileno(), others.fileno())
        with _emulator(image, board, machine, *files) as process:
            yield Stepper(debugger, lines, process, image.name, machine.controller)


@contextmanager
def _emulator(
    image: Path, board: Board, machine: Emulated, debugger: int, lines: int
) -> Iterator[int]:
    emulator = board.core.arch.emulator
    command = [
        shutil.which(emulator.program) or emulator.program,
        *("-M", machine.name, "-nographic", "-monitor", "none", "-serial", "none"),
        *("-nic", "none", "-chardev", "null,id=con"),
        *emulator.options,
        *machine.options,
        *("-icount", f"shift={machine.icount_shift},align=off,sleep=off"),
        *("-plugin", f"{paths.plugin()},confine=on"),
        *("-chardev", f"socket,id=qtest,fd={lines}", "-qtest", "chardev:qtest"),
        *("-chardev", f"socket,id=debugger,fd={debugger}", "-gdb", "chardev:debugger", "-S"),
        *("-kernel", str(image)),
    ]
    child = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", "--", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(debugger, lines),
    )
    try:
        yield child.pid
    finally:
        child.kill()
        child.wait()
