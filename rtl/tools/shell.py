# SPDX-License-Identifier: MIT
"""Runs the tools, and defines the one kind of error that the checks raise."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


class CheckError(Exception):
    """A check failed or could not be run. The text has a line that explains it, and the output of
    the tool."""


def run(
    command: Sequence[str | Path],
    failure: str,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> str:
    """Returns what the command prints, run in `folder` if that is given.

    Raises CheckError with `failure`, and the end of the output, if its status is not 0.
    """
    result = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if result.returncode != 0:
        raise CheckError(f"{failure}\n{result.stdout[-4000:]}")
    return result.stdout
