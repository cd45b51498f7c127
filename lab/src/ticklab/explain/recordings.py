# SPDX-License-Identifier: MIT
"""A recording as a folder: the block stream, the image that ran, and which spans it is about.

The image is kept with the stream because nothing can be said about one without the other, and the
build that made it will be overwritten: two commits of a kernel can be explained side by side. The
store keeps such folders beside the measurements; `observe --record` writes one anywhere.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ticklab import sealed
from ticklab.errors import TicklabError
from ticklab.model import Kernel, Span
from ticklab.store import Store

SCHEMA = 2
_IMAGE, _BLOCKS, _MANIFEST = "image.elf", "blocks", "recording.json"


@dataclass(frozen=True)
class About:
    """How samples are found in what was recorded (samples.py)."""

    spans: tuple[Span, ...]
    external: int | None  # external interrupts that each sample takes; None: any number
    warm_up: int
    clock_hz: int  # the board's
    kernel: str | None  # whose rules say what an instruction is for
    # How it suspends its scheduler (kernel.toml); empty if it does not, or nobody knows.
    suspension: Mapping[str, str] = field(default_factory=dict)
    board: str | None = None  # where it was recorded, if not where it was measured
    # The samples of spans that `observe` paired: first and last pass among those of all marks.
    pairs: Mapping[str, Sequence[Sequence[int]]] = field(default_factory=dict)


@dataclass(frozen=True)
class Recording:
    folder: Path
    about: About

    @property
    def image(self) -> Path:
        return self.folder / _IMAGE

    @property
    def blocks(self) -> Path:
        return self.folder / _BLOCKS


def about(determined_by: Mapping[str, Any], kernel: Kernel) -> About:
    """Of a measurement's determinants (measurement.determined_by)."""
    return About(
        spans=tuple(_span(span) for span in determined_by["spans"]),
        external=determined_by["expect"]["external"],
        warm_up=determined_by["plan"]["warm_up"],
        clock_hz=determined_by["clock_hz"],
        kernel=kernel.name,
        suspension=kernel.suspension,
    )


def write(folder: Path, image: Path, blocks: Path, about: About) -> None:
    """Fills an empty folder. The target leaves no block stream where it found no room for one."""
    if not blocks.exists():
        raise TicklabError(f"{image.name} was not recorded", "make room and try again")
    shutil.copyfile(image, folder / _IMAGE)
    shutil.copyfile(blocks, folder / _BLOCKS)
    text = json.dumps({"schema": SCHEMA, **asdict(about)}, indent=1)
    (folder / _MANIFEST).write_text(text + "\n")


def write_new(folder: Path, image: Path, blocks: Path, about: About) -> None:
    """A recording that belongs to no store."""
    try:
        folder.mkdir(parents=True)
        write(folder, image, blocks, about)
        sealed.seal(folder)
    except OSError as error:
        raise TicklabError(
            f"cannot write recording {folder}: {error.strerror}", "name a folder that is not there"
        ) from error


def keep(store: Store, key: str, image: Path, blocks: Path, about: About) -> None:
    """Puts a recording beside the measurement `key`."""
    store.add_recording(key, lambda folder: write(folder, image, blocks, about))


def is_one(folder: Path) -> bool:
    return (folder / _MANIFEST).is_file()


def read(folder: Path) -> Recording:
    content = sealed.read_json(folder / _MANIFEST, SCHEMA)
    for name in (_IMAGE, _BLOCKS):
        sealed.check(folder / name)
    try:
        del content["schema"]
        spans = tuple(_span(span) for span in content.pop("spans"))
        return Recording(folder, About(spans=spans, **content))
    except (KeyError, TypeError) as error:
        raise sealed.damaged(folder / _MANIFEST, f"no {error}") from error


def _span(entry: Mapping[str, Any]) -> Span:
    return Span(entry["name"], tuple(entry["each"]), entry["start"], entry["end"])
