# SPDX-License-Identifier: MIT
"""Tests examples/sensor-hub: its control loop misses no period while the driver crashes and is
restarted, the logger records each crash, a hostile driver changes nothing of the loop, and after a
supervisor that hangs the next start reads in the record that the watchdog has found that.

In the emulator, time advances with the executed instructions, so a busy machine cannot make the
loop late.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import examples
from build import BULKHEAD, SECONDS, TestError, emulator, run
from bulkhead_declare import interface

HUB = "sensor-hub"
IMAGES = (HUB, "hostile-hub")
HUNG = "hung-hub"
WATCHDOG, SUPERVISOR = 3, 2  # a cause in the record; the handle of the supervisor's thread
FAULTS, DATA_FAULT = 2, 1  # the least number of crashes, and their kind
# Limit of processor time for a run that may not end by itself; other runs take 0.1 s.
LOST_SECONDS = 5
PERIODS, REPORT_PERIODS = 1000, 100
# Emulator option: an instruction takes 32 ns, which is near the 40 ns of a cycle of the board.
_CLOCK = {"shift=0,align=off,sleep=off": "shift=5,align=off,sleep=off"}


@dataclass(frozen=True)
class Said:
    """The lines that the logger printed about crashes, calls and resets."""

    control: tuple[str, ...]
    faults: tuple[tuple[int, int, int], ...]  # of each fault: number, kind, address
    repeated: int  # number of repeated calls to the driver
    resets: tuple[tuple[int, int], ...] = ()  # of each reset: cause, thread

    @property
    def missed(self) -> int:
        (found,) = re.findall(r"missed (\d+)", "\n".join(self.control))
        return int(found)


def check(folder: Path) -> str:
    """Tests the example twice: as it is, and with the hostile driver."""
    built = _build(folder / "hub")
    said = {image: _run(built, image) for image in IMAGES}
    for image in IMAGES:
        _require(said[image].control == tuple(_expected()), image, "a period or a record", said)
        _require(len(said[image].faults) >= FAULTS, image, "no crashes", said)
        numbers = [number for number, _, _ in said[image].faults]
        _require(numbers == list(range(1, len(numbers) + 1)), image, "a crash in the record", said)
        _require(said[image].repeated >= len(numbers), image, "no repeated calls", said)
    _require_faults(said[HUB], _region(built, HUB, "uart_data").end)
    _require_faults(said["hostile-hub"], _region(built, "hostile-hub", "control_data").start)
    _require_reset(_run(built, HUNG))
    counts = " and ".join(str(len(said[image].faults)) for image in IMAGES)
    return f"no missed period in {PERIODS} beside {counts} crashes; a hung supervisor is found"


def check_controls(folder: Path) -> str:
    """Tests this test: with errors in the declaration, the test must fail."""
    shared = ('owner = "control"', 'owner = "control"\nusers = ["uart"]')
    if _ends_as_expected(_build(folder / "opened", ("system.toml", *shared))):
        raise TestError("a driver that may write to the loop's memory changes nothing of it")
    below = ("system.toml", "priority = 1\n", "priority = 9\n")
    short = ("CMakeLists.txt", "TICK_CYCLES 25000", "TICK_CYCLES 5000")
    if _run(_build(folder / "below", below, short), HUB).missed == 0:
        raise TestError("a loop whose period the logger takes misses none")
    return "shared memory and a loop below the logger are both found"


def _ends_as_expected(built: Path) -> bool:
    """Runs the hub with the hostile driver, and returns whether it ends as expected. The run may
    not end at all if the control loop was changed."""
    try:
        return _run(built, "hostile-hub", LOST_SECONDS).control == tuple(_expected())
    except TestError:
        return False


def _build(folder: Path, *changes: tuple[str, str, str]) -> Path:
    """Builds a copy of the example, with changes of its files, and returns the build's folder."""
    shutil.copytree(BULKHEAD / "examples" / "console", folder / "console")
    shutil.copytree(BULKHEAD / "examples" / HUB, folder / HUB)
    for name, old, new in changes:
        text = (folder / HUB / name).read_text()
        if old not in text:
            raise TestError(f"{name} of the example has no text '{old}'")
        (folder / HUB / name).write_text(text.replace(old, new))
    return examples.build(folder / HUB).parent


def _run(built: Path, image: str, seconds: int = SECONDS) -> Said:
    """Runs an image, whose first UART is the standard output."""
    command = [_CLOCK.get(word, word) for word in emulator()]
    command[command.index("-serial") + 1] = "stdio"
    text = run([*command, "-kernel", built / f"{image}.elf"], seconds=seconds)
    faults = re.findall(
        r"^supervisor: fault of the driver (\d+), kind (\d+), .*0x(\w+)$", text, re.M
    )
    resets = re.findall(r"^supervisor: reset .*, cause (\d+), thread (\d+)$", text, re.M)
    (repeated,) = re.findall(r"^logger: repeated calls (\d+)$", text, re.M) or (-1,)
    return Said(
        tuple(line for line in text.splitlines() if line.startswith("control: ")),
        tuple((int(number), int(kind), int(address, 16)) for number, kind, address in faults),
        int(repeated),
        tuple((int(cause), int(thread)) for cause, thread in resets),
    )


def _expected() -> Iterator[str]:
    """Yields the lines that the control loop must print, computed by the same arithmetic."""
    position = total = 0
    for period in range(1, PERIODS + 1):
        position += (1_000_000 - position) // 64
        total = (total + position) % (1 << 32)
        if period == PERIODS:
            yield f"control: period {period}, missed 0, sum of positions {total}"
        elif period % REPORT_PERIODS == 0:
            yield f"control: period {period}, position in um {position // 1000}"


def _region(built: Path, image: str, name: str) -> interface.Range:
    found = interface.read(built / f"{image}.bulkhead" / "interface.json").regions
    return next(each for each in found if each.name == name)


def _require_faults(said: Said, address: int) -> None:
    """Tests that each crash is a write to the first address that the driver may not write to."""
    if {(kind, at) for _, kind, at in said.faults} != {(DATA_FAULT, address)}:
        raise TestError(f"the crashes are not writes to {address:#x}, but {said.faults}")


def _require_reset(said: Said) -> None:
    """Tests that the watchdog has reset the system once, and that the loop then ran as before."""
    if said.resets != ((WATCHDOG, SUPERVISOR),):
        raise TestError(f"{HUNG}: the record says {said.resets}")
    if said.control[-PERIODS // REPORT_PERIODS :] != tuple(_expected()):
        raise TestError(f"{HUNG}: after the reset the loop says {said.control}")


def _require(condition: bool, image: str, what: str, said: dict[str, Said]) -> None:
    if not condition:
        raise TestError(f"{image}: {what} is wrong: {said[image]}")
