# SPDX-License-Identifier: MIT
"""Exports a timeline of a guest's events to trace viewers.

explain/timeline.py is the common part; each module encodes one format.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ticklab.errors import TicklabError
from ticklab.explain.timeline import Timeline
from ticklab.traces import chrome, ctf, perfetto


@dataclass(frozen=True)
class Files:
    """The file for each trace format; None: the format is not written."""

    ctf: Path | None
    perfetto: Path | None
    chrome: Path | None

    def __bool__(self) -> bool:
        return any((self.ctf, self.perfetto, self.chrome))


def write(timeline: Timeline, files: Files) -> None:
    formats = (
        (ctf.write, files.ctf),
        (perfetto.write, files.perfetto),
        (chrome.write, files.chrome),
    )
    try:
        for encode, place in formats:
            if place:
                encode(timeline, place)
    except OSError as error:
        raise TicklabError(
            f"cannot write {error.filename}: {error.strerror}", "name another file or folder"
        ) from error
