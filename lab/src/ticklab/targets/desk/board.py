# SPDX-License-Identifier: MIT
"""Controls a board through its GDB server: identifies the board, loads an image, runs it, and reads
the ring buffer that marks write whenever the board stops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ticklab.building.elf import Elf, Segment
from ticklab.targets.desk import ring
from ticklab.targets.desk.ring import Entry
from ticklab.targets.desk.rsp import DeskError, Server

_SP, _PC, _XPSR = 13, 15, 25
_XPSR_THUMB = 1 << 24
# Addresses and bits of registers: Armv7-M Architecture Reference Manual (DDI 0403E), B3.2 and C1.6.
_VTOR, _SYST_CSR, _SYST_RVR, _DHCSR = 0xE000_ED08, 0xE000_E010, 0xE000_E014, 0xE000_EDF0
_ENABLED, _LOCKUP = 1, 1 << 19
# Offsets in struct bench_ring (bench/ring.h).
_NEXT, _END, _BEGIN, _STATUS, _CONSOLE_BYTES, _CONSOLE = 0, 4, 8, 12, 16, 20
_HEADER_BYTES, _CONSOLE_ROOM = 20, 512
_NOP_BYTES = 2
# The range of flash memory to erase may exceed the image by at most this number of bytes, because
# whole sectors are erased.
_MOST_ERASED = 1 << 14


@dataclass
class Board:
    """A board that is controlled through its GDB server. `places` has the addresses of the ring
    buffer's symbols in the image."""

    server: Server
    places: Mapping[str, int]
    _entries_read: int = 0  # number of entries read since the ring was last full
    _text_bytes_read: int = 0
    _is_at_full: bool = False  # the board stopped at bench_ring_full
    _was_stopped: bool = False  # whether the debugger stopped the board since the last entry

    # --- Before the run ---------------------------------------------------------------------------

    def require_chip(self, chip: Mapping[str, tuple[int, int, int]]) -> None:
        for name, (address, mask, value) in chip.items():
            found = self.server.word(address)
            if found & mask != value:
                raise DeskError(
                    f"wrong chip: {name} is {found & mask:#010x}, and board.toml says {value:#010x}"
                )

    def load(self, image: Elf, vectors: int, stops: bool = True) -> None:
        """Loads the image, verifies it, and sets the registers as a reset does. `stops` says
        whether the board is to stop when its ring buffer is full and when its run ends."""
        regions = self.server.flash_regions()
        for segment in image.segments:
            self._load(segment, regions)
        for segment in image.segments:
            self._require_same(segment)
        self.server.write(_VTOR, vectors.to_bytes(4, "little"))
        self.server.set_register(_SP, self.server.word(vectors))
        self.server.set_register(_PC, self.server.word(vectors + 4) & ~1)
        self.server.set_register(_XPSR, _XPSR_THUMB)
        for name in ("bench_ring_full", "bench_ring_exited") if stops else ():
            self.server.stop_at(self.places[name])

    def _load(self, segment: Segment, regions: list[tuple[int, int]]) -> None:
        here = [one for one in regions if one[0] <= segment.address < one[0] + one[1]]
        if not here:
            self.server.write(segment.address, segment.data)
            return
        begin = segment.address // _MOST_ERASED * _MOST_ERASED
        end = -(-(segment.address + len(segment.data)) // _MOST_ERASED) * _MOST_ERASED
        self.server.flash(segment.address, segment.data, (begin, end - begin))

    def _require_same(self, segment: Segment) -> None:
        found = self.server.read(segment.address, len(segment.data))
        if found == segment.data:
            return
        pairs = enumerate(zip(found, segment.data, strict=True))
        at = next(number for number, (one, other) in pairs if one != other)
        raise DeskError(
            f"memory at {segment.address + at:#x} is {found[at]:#04x} after it was written with "
            f"{segment.data[at]:#04x}: is the flash memory worn, protected, or of another chip?"
        )

    # --- The run on the board ---------------------------------------------------------------------

    def run(self, within_s: float) -> int:
        """Runs the board to its next stop. Stops it if it still runs after `within_s` seconds.
        Returns the address at which it stopped."""
        if self._is_at_full:
            self.server.set_register(_PC, self.places["bench_ring_full"] + _NOP_BYTES)
        self.server.run()
        if not self.server.stopped(within_s):
            self.server.interrupt()
        pc = self.server.register(_PC)
        self._is_at_full = self.is_full(pc)
        return pc

    def is_full(self, pc: int) -> bool:
        return pc & ~1 == self.places["bench_ring_full"]

    def has_exited(self, pc: int) -> bool:
        return pc & ~1 == self.places["bench_ring_exited"]

    def is_locked_up(self) -> bool:
        return bool(self.server.word(_DHCSR) & _LOCKUP)

    def count(self, counter: int) -> int:
        return self.server.word(counter)

    def tick_period(self) -> int:
        """Returns the period of SysTick in counts; 0 if it does not run."""
        if not self.server.word(_SYST_CSR) & _ENABLED:
            return 0
        return self.server.word(_SYST_RVR) + 1

    def new_entries(self, pc: int) -> list[Entry]:
        """Returns the entries that marks wrote to the ring buffer since the last call."""
        where = self.places["bench_ring"]
        following, end, begin = (self.server.word(where + each) for each in (_NEXT, _END, _BEGIN))
        if not begin <= following <= end:
            return []  # start-up code has not run yet
        first = begin + self._entries_read * ring.ENTRY_BYTES
        if following < first:
            raise DeskError("the board was reset while it ran: its ring begins again")
        data = self.server.read(first, following - first) if following > first else b""
        found = ring.entries(data, self._was_stopped)
        self._entries_read = 0 if self.is_full(pc) else self._entries_read + len(found)
        self._was_stopped = True
        return found

    def new_text(self, pc: int) -> str:
        """Returns the text that the guest wrote since the last call."""
        where = self.places["bench_ring"]
        length = min(self.server.word(where + _CONSOLE_BYTES), _CONSOLE_ROOM)
        data = self.server.read(where + _CONSOLE, length) if length else b""
        new = data[self._text_bytes_read :]
        self._text_bytes_read = 0 if self.is_full(pc) else max(length, self._text_bytes_read)
        return new.decode("ascii", "replace")


def places(image: Elf) -> dict[str, int]:
    """Returns the addresses of the ring buffer's symbols in an image."""
    found = dict(_places(image))
    if len(found) < 3:
        raise DeskError(f"{image.path} has no ring of marks: build it for this board")
    return found


def _places(image: Elf) -> Iterator[tuple[str, int]]:
    wanted = {"bench_ring", "bench_ring_full", "bench_ring_exited"}
    for symbol in (*image.symbols, *image.variables):
        if symbol.name in wanted:
            yield symbol.name, symbol.address
