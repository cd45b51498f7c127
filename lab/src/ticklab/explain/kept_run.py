# SPDX-License-Identifier: MIT
"""Stores a run in a folder that the user named (`observe --save`), so that it can be explained
later: the image, the plan, and the event log."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from ticklab import targets
from ticklab.description import catalogue
from ticklab.description.model import Board
from ticklab.errors import TicklabError
from ticklab.explain.second_run import About, FirstRun, decode_span
from ticklab.storage import sealed
from ticklab.targets.protocol import AddedMark, ObservationPlan
from ticklab.targets.qemu import Qemu

SCHEMA = 3
_IMAGE, _LOG, _MANIFEST = "image.elf", "events.log", "recording.json"
_OF_BOARD = ("machine", "core", "vectors")  # members of a plan


def write(folder: Path, first: FirstRun, board: Board) -> None:
    content = {
        "schema": SCHEMA,
        "board": str(board.folder.resolve()),
        "plan": _encode(first.plan),
        "about": asdict(first.about),
    }
    try:
        folder.mkdir(parents=True)
        shutil.copyfile(first.image, folder / _IMAGE)
        shutil.copyfile(first.log, folder / _LOG)
        (folder / _MANIFEST).write_text(json.dumps(content, indent=1) + "\n")
        sealed.seal(folder)
    except OSError as error:
        raise TicklabError(
            f"cannot write recording {folder}: {error.strerror}",
            "name a folder that does not exist",
        ) from error


def is_one(folder: Path) -> bool:
    return (folder / _MANIFEST).is_file()


def read(folder: Path) -> FirstRun:
    content = sealed.read_json(folder / _MANIFEST, SCHEMA)
    for name in (_IMAGE, _LOG):
        sealed.check(folder / name)
    try:
        board = catalogue.find_board(content["board"])
        about = {**content["about"], "spans": tuple(map(decode_span, content["about"]["spans"]))}
        plan = _decode(content["plan"], board)
        target = targets.of(board, nodes=1)
        assert isinstance(target, Qemu)
        return FirstRun(target, folder / _IMAGE, plan, folder / _LOG, About(**about))
    except (KeyError, TypeError) as error:
        raise sealed.damaged(folder / _MANIFEST, f"no {error}") from error


def _encode(plan: ObservationPlan) -> dict[str, Any]:
    own = (field.name for field in fields(plan) if field.name not in _OF_BOARD)
    return {
        **{name: getattr(plan, name) for name in own},
        "marks": [asdict(mark) for mark in plan.marks],
    }


def _decode(entry: Mapping[str, Any], board: Board) -> ObservationPlan:
    of_board = {"machine": board.machine, "core": board.core, "vectors": board.vectors}
    listed = {
        "marks": tuple(AddedMark(**mark) for mark in entry["marks"]),
        "entries": tuple(entry["entries"]),
        "port": tuple(map(tuple, entry["port"])),
    }
    return ObservationPlan(**{**entry, **of_board, **listed})
