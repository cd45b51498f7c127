# SPDX-License-Identifier: MIT
"""A recording as a folder: the block stream, the image that ran, and the spans that were measured.

The image is kept with the stream because neither is useful without the other, and the next build
overwrites the image: so two commits of a kernel can be explained side by side. The store keeps such
folders beside the measurements; `observe --record` writes one to any folder.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ticklab.description.model import Kernel, Span
from ticklab.errors import TicklabError
from ticklab.storage import sealed
from ticklab.storage.store import Store

SCHEMA = 2
NO_PAIRS: Mapping[str, Sequence[Sequence[int]]] = {}
_IMAGE, _BLOCKS, _MANIFEST = "image.elf", "blocks", "recording.json"


@dataclass(frozen=True)
class About:
    """How to find samples in a recording (analysis/samples.py)."""

    spans: tuple[Span, ...]
    external: int | None  # external interrupts that belong to each sample; None: any number
    warm_up: int
    clock_hz: int  # of the board
    kernel: str | None  # whose rules divide instructions by kind of work
    # How the kernel suspends its scheduler (kernel.toml); empty if it does not, or if unknown.
    suspension: Mapping[str, str] = field(default_factory=dict)
    board: str | None = None  # where it was recorded, if not where it was measured
    # Samples of an unported image, by span: first and last pass among those of all marks.
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


def about(
    determined_by: Mapping[str, Any],
    kernel: Kernel,
    pairs: Mapping[str, Sequence[Sequence[int]]] = NO_PAIRS,
) -> About:
    """Derives it from the determinants of a measurement (observation.determined_by)."""
    return About(
        spans=tuple(_span(span) for span in determined_by["spans"]),
        external=determined_by["expect"]["external"],
        warm_up=determined_by["plan"]["warm_up"],
        clock_hz=determined_by["clock_hz"],
        kernel=None if kernel.image else kernel.name,
        pairs=pairs,
        suspension=kernel.suspension,
    )


def write(folder: Path, image: Path, blocks: Path, about: About) -> None:
    """Fills an empty folder. The target writes no block stream if the disk is full."""
    if not blocks.exists():
        raise TicklabError(f"{image.name} was not recorded", "make room and try again")
    shutil.copyfile(image, folder / _IMAGE)
    shutil.copyfile(blocks, folder / _BLOCKS)
    text = json.dumps({"schema": SCHEMA, **asdict(about)}, indent=1)
    (folder / _MANIFEST).write_text(text + "\n")


def write_new(folder: Path, image: Path, blocks: Path, about: About) -> None:
    """Writes a recording outside the store."""
    try:
        folder.mkdir(parents=True)
        write(folder, image, blocks, about)
        sealed.seal(folder)
    except OSError as error:
        raise TicklabError(
            f"cannot write recording {folder}: {error.strerror}",
            "name a folder that does not exist",
        ) from error


def keep(store: Store, key: str, image: Path, blocks: Path, about: About) -> None:
    """Adds a recording to the measurement `key`."""
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
    return Span(**{**entry, "each": tuple(entry["each"])})
