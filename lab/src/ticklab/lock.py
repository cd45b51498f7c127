# SPDX-License-Identifier: MIT
"""A lock for one process at a time: a locked file that names its holder to waiting processes.

The kernel releases the lock however the process ends; the file stays. Uses the standard library
alone, because the set-up needs it.
"""

from __future__ import annotations

import fcntl
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def held(file: Path, what: str, say: Callable[[str], None]) -> Iterator[None]:
    """Holds the lock `file`; creates its folder if needed. If another process holds the lock, says
    once which process, and that this process waits for `what`."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for {what}: {_holder(lock)} holds {file}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        _sign(lock)
        yield


def _holder(lock: TextIO) -> str:
    lock.seek(0)
    return lock.read().strip() or "another process"


def _sign(lock: TextIO) -> None:
    lock.seek(0)
    lock.truncate()
    lock.write(f"process {os.getpid()} (ticklab {shlex.join(sys.argv[1:])})\n")
    lock.flush()
