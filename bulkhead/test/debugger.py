# SPDX-License-Identifier: MIT
"""Tests the thread commands for GDB (tools/gdb/bulkhead.py) on images of the target tests. Needs
gdb-multiarch.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

from build import TestError

SCRIPT = Path(__file__).resolve().parents[1] / "tools" / "gdb" / "bulkhead.py"
SECONDS = 600  # limit; the test takes two seconds on a machine that does nothing else

# A session that stops in a thread and, at a tick, in the kernel, and then runs the image to its
# end.
SESSION = (
    "break prove_victim_lives",
    "continue",
    "bulkhead threads",
    "bulkhead backtrace suspect",
    "bulkhead backtrace victim",
    "break kernel_tick",
    "continue",
    "bulkhead threads",
    "delete",
    "break succeed",
    "continue",
    "kill",
)

EXPECTED = (
    r"prover +prover +10 +running +\d+ of 2048 +0x[0-9a-f]+ (prove_victim_lives|prover_main)",
    r"peer +prover +8 +suspended +\d+ of 1024",
    r"suspect +suspect +9 +listens +\d+ of 512",
    r"victim +victim +12 +ready +0 of 512 +0x[0-9a-f]+ victim_main",
    r"idle +idle +- +ready",
    r"#\d .*suspect_main \(\)",
    r"#0 +victim_main \(\)",
    r"Breakpoint 2, .*kernel_tick",
    r"running +- of \d+ +in the kernel",
    r"Breakpoint 3, .*succeed",  # GDB has restored the registers, so the image ends as without GDB
)

# An image that CMake builds without debug information of its own.
PACKAGE_SESSION = (
    "break faulty_main",
    "continue",
    "bulkhead threads",
    "bulkhead backtrace steady",
    "kill",
)

# While a thread runs on an Armv8-M board, QEMU shows GDB no memory of the kernel, so this session
# stops in the kernel.
SECURE_SESSION = ("break kernel_fault", "continue", "bulkhead threads", "kill")
SECURE_EXPECTED = (r"steady +steady +1 +listens +\d+ of 640 +0x[0-9a-f]+ steady_main",)

PACKAGE_EXPECTED = (
    r"steady +steady +1 +listens +\d+ of (1024|512) +0x[0-9a-f]+ steady_main",
    r"faulty +faulty +2 +running +\d+ of (512|256) +0x[0-9a-f]+ faulty_main",
    r"#0 .*steady_main \(\)",
)

CALL_SESSION = (
    "break serve",
    "continue",
    "bulkhead threads",
    "delete",
    "break succeed",
    "continue",
    "bulkhead threads",
    "kill",
)

# A server that received a call on the fast path keeps its last client's priority until the next
# call. While it waits, it is in no list of the kernel.
CALL_EXPECTED = (
    r"server +service +\d+ +running",
    r"callers +\d+ +is served",
    r"server +service +\d+ +receives",
)


def check(image: Path, emulator: list[str]) -> str:
    return _check(image, emulator, SESSION, EXPECTED)


def check_package(image: Path, emulator: list[str]) -> str:
    return _check(image, emulator, PACKAGE_SESSION, PACKAGE_EXPECTED)


def check_secure(image: Path, emulator: list[str]) -> str:
    return _check(image, emulator, SECURE_SESSION, SECURE_EXPECTED)


def check_call(image: Path, emulator: list[str]) -> str:
    return _check(image, emulator, CALL_SESSION, CALL_EXPECTED)


def _check(
    image: Path, emulator: list[str], session: tuple[str, ...], expected: tuple[str, ...]
) -> str:
    said = session_output(image, emulator, session)
    for pattern in expected:
        if not re.search(pattern, said):
            raise TestError(f"GDB's session does not show {pattern!r}, but:\n{said}")
    return f"gdb: {len(expected)} things seen"


def session_output(image: Path, emulator: list[str], session: tuple[str, ...]) -> str:
    """Returns GDB's output in a session with an image that has not started yet."""
    stub = shlex.join([*emulator, "-S", "-gdb", "stdio", "-kernel", str(image)])
    start = ("set pagination off", "set confirm off", f"target remote | {stub}")
    commands = (*start, f"source {SCRIPT}", *session)
    options = [word for command in commands for word in ("-ex", command)]
    return _said(["gdb-multiarch", "-nx", "-batch", *options, str(image)])


def _said(command: list[str]) -> str:
    """Returns GDB's output, which decides the test. The exit status does not: GDB may or may not
    find the emulator at the other end of the pipe while both end.
    """
    result = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS
    )
    return result.stdout + result.stderr
