# SPDX-License-Identifier: MIT
"""Writes results to standard output or to a file.

If `--json -` or `--csv -` uses standard output, text for people goes to standard error.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from ticklab import plain_text
from ticklab.errors import TicklabError
from ticklab.views import table

STDOUT = "-"


def console(*machine_outputs: str | None) -> Console:
    """Returns the console for people: standard output, unless one of `machine_outputs` (`--json`,
    `--csv`) uses it."""
    return table.console(sys.stderr if STDOUT in machine_outputs else sys.stdout)


def passed_over(error: TicklabError) -> None:
    """Prints which file of the store was skipped, and why."""
    print(f"ticklab: skipped: {plain_text.line(str(error))}", file=sys.stderr)


def emit(text: str, destination: str) -> None:
    """Writes `text`, which is output for programs, to standard output or to a file, in UTF-8."""
    if destination == STDOUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return
    try:
        Path(destination).write_text(text, encoding="utf-8")
    except OSError as error:
        raise TicklabError(
            f"cannot write {destination}: {error.strerror}", "choose another file, or - to print"
        ) from error
