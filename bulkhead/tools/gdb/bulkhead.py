# SPDX-License-Identifier: MIT
"""Bulkhead's threads in GDB. In gdb: `source …/bulkhead/tools/gdb/bulkhead.py`, then

    bulkhead threads           every thread: process, priority, state, stack, where it stands
    bulkhead backtrace NAME    the calls that a thread has not returned from
    bulkhead log               the logs of processes, if they are declared (log_events)
    bulkhead trace             the last events of the kernel, if they are declared (trace_events)

Works on a halted processor and writes nothing to memory. A backtrace changes the processor's
registers for a moment and restores them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import gdb

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bulkhead_log import image, reading, text

# core/thread.h
_STATES = {
    "THREAD_SUSPENDED": "suspended",
    "THREAD_SPENT": "spent",
    "THREAD_WAITS": "waits",
    "THREAD_LISTENS": "listens",
    "THREAD_SLEEPS": "sleeps",
    "THREAD_DORMANT": "dormant",
    "THREAD_CALLS": "is served",
    "THREAD_RECEIVES": "receives",
}


def see_everything() -> None:
    """Makes QEMU's stub read all memory, as a debug probe does. Without this packet QEMU reads with
    the rights of the thread that was stopped. Other stubs read all memory anyway, and ignore the
    packet.

    On an Armv8-M board the packet is not sent, because QEMU would then read the memory of the
    Non-secure state: stop such a system in the kernel."""
    if not _architecture().startswith("armv8-m"):
        gdb.execute("maintenance packet Qqemu.PhyMemMode:1", to_string=True)


class Arm:
    """Reads the saved registers of a thread on Armv7-M and Armv8-M, where the processor stacks a
    frame on the thread's stack."""

    preserved = tuple(f"r{n}" for n in range(4, 12))
    link = "lr"
    # The sizes of the frame (DDI 0403E, B1.5.6 and B1.5.7).
    _BASIC_BYTES, _FLOATING_BYTES = 32, 104
    _EXC_RETURN_BASIC = 0xFFFFFFFD
    _XPSR_ALIGNED = 1 << 9  # the frame has an alignment word

    @staticmethod
    def in_thread() -> bool:
        return _constant("(unsigned)$xpsr") & 0x1FF == 0

    @classmethod
    def saved(cls, context: gdb.Value) -> dict[str, int]:
        frame, resume = int(context["stack_pointer"]), int(context["resume"])
        words = [_constant(f"((unsigned *){frame:#x})[{n}]") for n in range(8)]
        size = cls._BASIC_BYTES if resume == cls._EXC_RETURN_BASIC else cls._FLOATING_BYTES
        aligned = 4 if words[7] & cls._XPSR_ALIGNED else 0
        own = {f"r{4 + n}": int(context["r4_to_r11"][n]) for n in range(8)}
        return {"lr": words[5], "pc": words[6], "sp": frame + size + aligned, **own}

    @staticmethod
    def stack_bytes(declared: gdb.Value) -> int:
        base, attributes = (_word(declared["stack"][each]) for each in ("base", "attributes"))
        if _architecture().startswith("armv8-m"):
            return (attributes | 31) + 1 - (base & ~31)  # RLAR has the last address, by 32 bytes
        return 2 << (attributes >> 1 & 31)  # RASR.SIZE


class RiscV:
    """Reads the saved registers of a thread on RV32, where the kernel saves them in the thread's
    control block."""

    preserved = ("fp", "s1", *(f"s{n}" for n in range(2, 12)))
    link = "ra"

    @staticmethod
    def in_thread() -> bool:
        return _constant("(unsigned)$priv") == 0  # user mode

    @staticmethod
    def saved(context: gdb.Value) -> dict[str, int]:
        found = context["frame"]["registers"]
        own = {name: _word(found[name]) for name in ("ra", "pc", "sp", "s1")}
        own["fp"] = _word(found["s0"])
        return own | {f"s{2 + n}": _word(found["s2_to_s11"][n]) for n in range(10)}

    @staticmethod
    def stack_bytes(declared: gdb.Value) -> int:
        ones = ~int(declared["stack"]["address"]) & int(declared["stack"]["address"]) + 1
        return 8 * ones  # NAPOT: pmpaddr ends with a zero and a one for each doubling of 8 bytes


def _architecture() -> str:
    return gdb.selected_inferior().architecture().name()


def _processor() -> type[Arm] | type[RiscV]:
    return RiscV if _architecture().startswith("riscv") else Arm


@dataclass(frozen=True)
class Thread:
    block: gdb.Value  # struct thread
    declared: gdb.Value  # struct thread_declaration

    @property
    def name(self) -> str:
        return self.declared["name"].string()

    @property
    def process(self) -> str:
        return self.block["process"]["name"].string()

    @property
    def is_current(self) -> bool:
        return int(_kernel()["current"]) == _address(self.block)

    @property
    def is_running(self) -> bool:
        """Returns whether the processor executes the thread, so that the processor's registers are
        those of the thread."""
        return self.is_current and _processor().in_thread()

    @property
    def state(self) -> str:
        bits = int(self.block["state"])
        if bits == 0:
            return "running" if self.is_current else "ready"
        if self.has_ended and bits != _constant("THREAD_DORMANT"):
            return "ending"
        words = (word for name, word in _STATES.items() if bits & _constant(name))
        return ", ".join((*words, *self._timeout()))

    def _timeout(self) -> Iterator[str]:
        if int(self.block["timer"]["place"]):
            due = int(self.block["timer"]["key"]) >> 32  # core/timer.h
            left = due - int(_kernel()["ticks"]) & 0xFFFFFFFF
            yield f"{left} ticks left" if left < 1 << 31 else "timed out"

    @property
    def has_ended(self) -> bool:
        return bool(int(self.block["state"]) & _constant("THREAD_DORMANT"))

    @property
    def priority(self) -> str:
        """Returns the thread's present priority, which it may have inherited; "-" for the idle
        thread."""
        is_idle = _address(self.block) == _address(_at("thread", "kernel_idle"))
        return "-" if is_idle else str(32 - int(self.block["priority_mask"]).bit_length())

    @property
    def is_known(self) -> bool:
        """Returns whether the thread's registers are known. Those of the current thread are unknown
        while the kernel runs: they are not saved, and GDB may have no process stack pointer."""
        return not self.has_ended and (self.is_running or not self.is_current)

    def registers(self) -> dict[str, int]:
        """Returns the registers at the time when the thread was stopped."""
        processor = _processor()
        if self.is_running:
            names = (*processor.preserved, "sp", processor.link, "pc")
            return {name: _constant(f"(unsigned)${name}") for name in names}
        return processor.saved(self.block["context"])

    def stack(self) -> str:
        """Returns the bytes of the stack that are in use now, and its size."""
        top = int(self.declared["stack_top"])
        size = _processor().stack_bytes(self.declared)
        used = top - self.registers()["sp"] if self.is_known else "-"
        return f"{used} of {size}"

    def place(self) -> str:
        if not self.is_known:
            return "-" if self.has_ended else "in the kernel"
        pc = self.registers()["pc"]
        found = gdb.execute(f"info symbol {pc:#x}", to_string=True).split(" in section")[0]
        return f"{pc:#x} {found.strip()}"


def _word(value: gdb.Value) -> int:
    return int(value) & 0xFFFFFFFF


def _constant(expression: str) -> int:
    return _word(gdb.parse_and_eval(expression))


def _at(kind: str, symbol: str, index: int = 0) -> gdb.Value:
    """Returns a kernel object. The cast is needed because application code may declare a symbol of
    the same name with another type."""
    return gdb.parse_and_eval(f"((struct {kind} *)&{symbol})[{index}]")


def _address(value: gdb.Value) -> int:
    """Returns the address of a value in memory."""
    assert value.address is not None
    return int(value.address)


def _kernel() -> gdb.Value:
    return _at("kernel", "kernel")


def threads() -> Iterator[Thread]:
    for index in range(_constant("kernel_thread_count")):
        declared = _at("thread_declaration", "kernel_thread_declarations", index)
        yield Thread(_at("thread", "kernel_threads", index), declared)
    yield Thread(_at("thread", "kernel_idle"), _at("thread_declaration", "kernel_idle_declaration"))


def thread_named(name: str) -> Thread:
    found = {each.name: each for each in threads()}
    if name not in found:
        raise gdb.GdbError(f"no thread is named {name!r}; use one of {', '.join(found)}")
    return found[name]


@contextmanager
def borrowed(registers: dict[str, int]) -> Iterator[None]:
    """Gives the processor these registers during the `with` block, and then restores its own. Sets
    and restores sp last."""
    order = sorted(registers, key=lambda name: name == "sp")
    before = {name: _constant(f"(unsigned)${name}") for name in order}
    try:
        for name in order:
            gdb.execute(f"set ${name} = {registers[name]:#x}", to_string=True)
        yield
    finally:
        for name in order:
            gdb.execute(f"set ${name} = {before[name]:#x}", to_string=True)


class Bulkhead(gdb.Command):
    """Bulkhead's threads: bulkhead threads | backtrace NAME | log | trace"""

    def __init__(self) -> None:
        super().__init__("bulkhead", gdb.COMMAND_STATUS, prefix=True)


class Threads(gdb.Command):
    """Every thread: process, priority, state, bytes of its stack in use, where it stands."""

    def __init__(self) -> None:
        super().__init__("bulkhead threads", gdb.COMMAND_STATUS)

    def invoke(self, _words: str, _from_tty: bool) -> None:
        see_everything()
        rows = [("thread", "process", "priority", "state", "stack", "at")]
        for each in threads():
            state = (each.priority, each.state, each.stack(), each.place())
            rows.append((each.name, each.process, *state))
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=False))
            print("  ".join((*cells, row[-1])))


class Backtrace(gdb.Command):
    """The calls that a thread has not returned from: bulkhead backtrace NAME"""

    def __init__(self) -> None:
        super().__init__("bulkhead backtrace", gdb.COMMAND_STACK)

    def invoke(self, name: str, _from_tty: bool) -> None:
        see_everything()
        thread = thread_named(name.strip())
        if not thread.is_known:
            raise gdb.GdbError(f"thread {thread.name} is {thread.state}; try `backtrace`")
        with borrowed(thread.registers()):
            gdb.execute("backtrace")

    def complete(self, text: str, _word_so_far: str) -> list[str]:
        return [each.name for each in threads() if each.name.startswith(text)]


def _reading() -> reading.Reading:
    """Returns the logs and the trace of the system, by the names in the image's file."""
    see_everything()
    space = gdb.current_progspace()
    file = space.filename if space else None
    if file is None:
        raise gdb.GdbError("GDB has no image; name it with `file IMAGE.elf`")
    try:
        return reading.read(image.read(Path(file)), _memory)
    except image.LogError as error:
        raise gdb.GdbError(str(error)) from None


def _memory(address: int, count: int) -> bytes:
    try:
        return bytes(gdb.selected_inferior().read_memory(address, count))
    except gdb.MemoryError as error:
        raise image.LogError(str(error)) from None


class Log(gdb.Command):
    """The log of each process, oldest entry first."""

    def __init__(self) -> None:
        super().__init__("bulkhead log", gdb.COMMAND_STATUS)

    def invoke(self, _words: str, _from_tty: bool) -> None:
        found = _reading()
        if not found.logs:
            raise gdb.GdbError("no process has a log; declare log_events")
        print(text.text(replace(found, trace=None)), end="")


class Trace(gdb.Command):
    """The last events of the kernel's trace, oldest first."""

    def __init__(self) -> None:
        super().__init__("bulkhead trace", gdb.COMMAND_STATUS)

    def invoke(self, _words: str, _from_tty: bool) -> None:
        found = _reading()
        if found.trace is None:
            raise gdb.GdbError("this kernel keeps no trace; declare trace_events")
        print(text.text(replace(found, logs=())), end="")


Bulkhead()
Threads()
Backtrace()
Log()
Trace()
