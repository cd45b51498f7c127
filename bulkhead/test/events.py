# SPDX-License-Identifier: MIT
"""Tests what a reader finds in the memory of the program target/log.c: the logs of its processes,
one of which is hostile, and the trace of the kernel. GDB reads them from the emulator and also
saves the memory to files; both must give the same entries.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import debugger
from build import BULKHEAD, RV32, Core, TestError, Tree, emulator, run
from images import TARGET, on_core

TOOLS = BULKHEAD / "tools"
SLOW, QUICK = 40, 10  # constants of target/log.h

# The entries that log_hostile.c has written. An entry whose text has the offset 0 gets the first
# text of the image.
HOSTILE = (
    r"\?: no text is at 0x1: 0x0 0x0 0x0 0x0",
    r"\?: no text is at 0xffffffff: 0x0 0x0 0x0 0x0",
    r"\?: no text is at 0x7fffffff: 0x0 0x0 0x0 0x0",
    r"\?: .+",
    r"hostile: .+",
    r"hostile: \?\?\? honest \d+",
)


def check(core: Core, folder: Path, tree: Tree | None = None) -> str:
    elf = _image(core, folder, tree or Tree(core=core))
    _require_ticks_of_claim(core, elf)
    memory = folder / "memory.bin"
    found = load("image").read(elf)
    origin, length = found.data
    session = (
        "break process_fault_read",  # all entries are written, and the kernel runs
        "continue",
        "bulkhead log",
        "bulkhead trace",
        f"dump binary memory {memory} {origin:#x} {origin + length:#x}",
        "kill",
    )
    said = debugger.session_output(elf, emulator(core), session)
    if not memory.exists():
        raise TestError(f"GDB saved no memory:\n{said}")
    reading = load("sources").read_dump(elf, memory)
    text = load("text").text(reading)
    if core != RV32 and text not in said:  # on RV32 the number of ticks is not in the saved memory
        raise TestError(f"GDB shows\n{said}\nand the saved memory\n{text}")
    for process, entries in (("teller", _require_teller), ("hostile", _require_hostile)):
        _require(process, entries, reading)
    _require_trace(reading.trace, text)
    return f"events: {sum(len(log.entries) for log in reading.logs)} entries of logs are read"


def _image(core: Core, folder: Path, tree: Tree) -> Path:
    image = TARGET["log"] if core == RV32 else on_core(core, "log")
    return tree.image(folder, image, "O2")


def _require_ticks_of_claim(core: Core, elf: Path) -> None:
    """Requires that the time of an entry is read within the restartable sequence that takes the
    number of the entry. Otherwise a thread could be interrupted between the two, and its entry
    would have a later number but an earlier time than the entry of the interrupting thread."""
    name, step = "bulkhead_log_write", r"\bldrex\b.*?\bldr(\.w)?\b.*?\bstrex\b"
    if core == RV32:
        name, step = "bulkhead_log_claim", r"\blw\b.*?\blw\b.*?\bsw\b"
    code = run([core.described.arch.objdump, "-d", "--no-show-raw-insn", elf])
    function = code.partition(f"<{name}>:\n")[2].partition("\n\n")[0]
    if not re.search(step, function, re.DOTALL):
        raise TestError(f"the claim of an entry does not read the ticks:\n{function}")


def load(module: str) -> Any:
    if str(TOOLS) not in sys.path:
        sys.path.insert(0, str(TOOLS))
    return importlib.import_module(f"bulkhead_log.{module}")


def _require(process: str, require: Callable[[Sequence[str]], None], reading: Any) -> None:
    logs = {log.process: log for log in reading.logs}
    if logs["silent"].entries or logs["teller"].lost:
        raise TestError("an entry is in a log that nobody wrote, or one is lost")
    require([f"{each.thread}: {each.text}" for each in logs[process].entries])


def _require_teller(entries: Sequence[str]) -> None:
    """Requires that the log has every entry of both threads, in the order of each thread, and of
    both starts of the process."""
    starts = [f"slow: start -{start}, 100 %, beef z" for start in (1, 2)]
    for thread, expected in (
        ("slow", starts + [f"slow: slow {i}" for i in range(SLOW)]),
        ("quick", [f"quick: quick {i} of {QUICK}" for i in range(QUICK)]),
    ):
        found = [each for each in entries if each.startswith(f"{thread}:")]
        if found != expected:
            raise TestError(f"the teller's log of {thread} is {found}")
    if len(entries) != 2 + SLOW + QUICK:
        raise TestError(f"the teller's log has {entries}")


def _require_hostile(entries: Sequence[str]) -> None:
    if len(entries) != len(HOSTILE):
        raise TestError(f"the hostile log has {entries}")
    for entry, pattern in zip(entries, HOSTILE, strict=True):
        if not re.fullmatch(pattern, entry):
            raise TestError(f"the hostile log has {entry!r} in place of {pattern!r}")


def _require_trace(trace: Any, text: str) -> None:
    for pattern in (
        r"hostile: fault of \w+ at 0x[0-9a-f]+, pc 0x[0-9a-f]+",
        r"judge_main: call thread hostile notify",
        r"judge_main: switch to hostile",
        r"judge_main: call process hostile fault_read\n$",
    ):
        if not re.search(pattern, text):
            raise TestError(f"the trace does not show {pattern!r}, but:\n{text}")
    counts = [event.counts for event in trace.events]
    if counts != sorted(counts) or len(counts) != 64 or trace.lost:
        raise TestError(f"the trace has {len(counts)} events, at {counts}, {trace.lost} lost")
