# SPDX-License-Identifier: MIT
"""Runs command lines of Ticklab within the process of the test, which is faster than a new Python
for each."""

from __future__ import annotations

import io
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from ticklab import cli


class Answer(NamedTuple):
    status: int
    out: str
    err: str


def ticklab(*words: object, folder: Path | None = None) -> Answer:
    """Runs `ticklab WORDS…` in `folder`, and returns what it printed."""
    out, err = _stream(), _stream()
    with chdir(folder or Path.cwd()), redirect_stdout(out), redirect_stderr(err):
        status = cli.main([str(word) for word in words])
    return Answer(status, _text(out), _text(err))


def _stream() -> io.TextIOWrapper:
    """Returns a text stream over a buffer of bytes, as the standard streams of a process are."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
