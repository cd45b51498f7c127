# SPDX-License-Identifier: MIT
"""Runs an image from reset and explains the whole run, for `profile`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ticklab import targets
from ticklab.building import elf
from ticklab.description.model import Board, Profile
from ticklab.errors import TicklabError
from ticklab.explain import only_run
from ticklab.explain.only_run import Followed
from ticklab.targets.protocol import AddedMark, ObservationPlan, until_instructions
from ticklab.targets.qemu import Qemu


def followed(
    image: Path,
    board: Board,
    instructions: int,
    profile: Profile | None = None,
    flame: Path | None = None,
    has_timeline: bool = False,
) -> Followed:
    """Runs an image from reset for this number of instructions, and returns the run with its
    explanation."""
    target = targets.of(board, nodes=1)
    if not isinstance(target, Qemu):
        raise TicklabError(
            f"board {board.name} cannot record the instructions of a run", "choose --board virt"
        )
    planned = plan(image, board, instructions, profile)
    return only_run.follow(target, image, planned, flame, board.clock_hz if has_timeline else None)


def plan(
    image: Path, board: Board, instructions: int, profile: Profile | None = None
) -> ObservationPlan:
    """Returns the plan of a run of this number of instructions. Its only mark is at the beginning
    of the run."""
    guest = elf.read(image)
    elf.require_place(guest, board)
    reset = guest.reset(board.core, board.vectors)
    if reset is None:
        where = f"has no table of vectors at {board.vectors:#x}"
        raise TicklabError(f"image {image} {where}", "choose --board, or give --vectors")
    return replace(
        until_instructions(board, instructions),
        marks=(AddedMark("reset", reset),),
        profile=profile.data if profile else None,
    )
