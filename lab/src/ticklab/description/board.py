# SPDX-License-Identifier: MIT
"""Reads board.toml, the description of a board (docs/reference/descriptions.md explains the
keys).

References to other boards are resolved here, so that nothing else looks up a board's name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar, NoReturn

from msgspec import Meta

from ticklab.description import architecture, folders, machine, table
from ticklab.description.architecture import choose_core
from ticklab.description.keys import Name, Natural, Positive, PositiveNumber, Text, Texts
from ticklab.description.model import Board
from ticklab.description.table import Place, Table


class BoardTable(Table, frozen=True, kw_only=True):
    """The table `[board]`, which describes the machine; its table `[board.memory]` lists the
    memories."""

    RENAMED: ClassVar = {
        "proof": "conformance_board",
        "images": "same_images_as",
        "finisher": "exit_register, in [target.qemu]",
    }

    name: Annotated[Name, Meta(description="name for the command line")]
    title: Annotated[Text, Meta(description="name for people")]
    core: Annotated[
        Text | None,
        Meta(description="a file of `platform/cores`; default that of `same_images_as`"),
    ] = None
    other_cores: Annotated[
        Texts,
        Meta(
            description="cores whose code the core executes, for configurations that name another "
            "core"
        ),
    ] = ()
    clock_hz: Annotated[Positive, Meta(description="frequency of the clock, in cycles a second")]
    tick_hz: Annotated[Positive, Meta(description="rate of the tick, in ticks a second")]
    cycles_per_count: Annotated[
        PositiveNumber,
        Meta(description="cycles of the clock for one count of the timer that ticks"),
    ] = 1
    vectors: Annotated[
        Natural | None,
        Meta(description="address of the vector table at reset; default that of `same_images_as`"),
    ] = None
    same_images_as: Annotated[
        Text | None,
        Meta(
            description="the board whose images this board runs, byte for byte; `core`, `vectors` "
            "and `[board.memory]` are then its own if they are left out"
        ),
    ] = None
    conformance_board: Annotated[
        Text | None,
        Meta(
            description="a board that runs the same images faster: conformance is tested there, "
            "and a simulated board's cases are recorded there"
        ),
    ] = None
    profile: Annotated[
        Text | None, Meta(description="default timing profile, of `platform/profiles`")
    ] = None
    memory: Annotated[
        dict[str, tuple[Natural, Natural]] | None,
        Meta(
            description="`code` and `data`, each with origin and length in bytes, and other ranges "
            "that the board's sources or a kernel that declares its memory need (`watchdog`: the "
            "device of bench/injection.h). The linker gets each as `memory_<name>_origin` and "
            "`memory_<name>_length`; default those of `same_images_as`"
        ),
    ] = None


class BoardFile(Table, frozen=True):
    """The file board.toml: a machine, and the target that runs its images."""

    board: BoardTable
    target: Annotated[
        dict[str, dict[str, Any]],
        Meta(description="a board has exactly one table `[target.KIND]`, which runs its images"),
    ] = {}


def read_board(folder: Path) -> Board:
    return _board(folder, ("same_images_as", "conformance_board"))


def _board(folder: Path, follow: tuple[str, ...]) -> Board:
    """Reads a board, and the other boards that the keys in `follow` name. Does not read the boards
    that these name in turn, because only the first board is measured."""
    whole, file = table.read(folder / folders.BOARDS.file, BoardFile)
    found, place = whole.board, file.inside("board")
    same = _reference(place, "same_images_as", found.same_images_as, follow, ())
    board = Board(
        name=found.name,
        title=found.title,
        folder=folder,
        core=_core(place, found, same),
        clock_hz=found.clock_hz,
        tick_hz=found.tick_hz,
        machine=machine.read(whole.target, file),
        memory=_memory(place, found, same),
        vectors=_vectors(place, found, same),
        profile=found.profile,
        other_cores={name: choose_core(place, "other_cores", name) for name in found.other_cores},
        cycles_per_count=found.cycles_per_count,
        same_images_as=same,
        conformance_board=_reference(
            place, "conformance_board", found.conformance_board, follow, ("same_images_as",)
        ),
        interrupt_injection=(folder / "injection.S").is_file(),
    )
    if board.profile and not board.core.has_cycle_model:
        place.fail("profile", f"is for a cycle model, and {board.core.name} has none", "remove it")
    return board


def _reference(
    place: Place, key: str, name: str | None, follow: tuple[str, ...], further: tuple[str, ...]
) -> Board | None:
    if name is None or key not in follow:
        return None
    return _board(architecture.choose(place, key, name, folders.BOARDS.every()), further)


def _missing(place: Place, key: str, kind: str) -> NoReturn:
    place.fail(key, "is missing", f"give it {kind}, or name a board in same_images_as")


def _core(place: Place, found: BoardTable, same: Board | None) -> architecture.Core:
    if same and found.core is None:
        return same.core
    return choose_core(place, "core", found.core or _missing(place, "core", "a text"))


def _vectors(place: Place, found: BoardTable, same: Board | None) -> int:
    if same and found.vectors is None:
        return same.vectors
    return _missing(place, "vectors", "a whole number") if found.vectors is None else found.vectors


def _memory(place: Place, found: BoardTable, same: Board | None) -> dict[str, tuple[int, int]]:
    if same and found.memory is None:
        return dict(same.memory)
    memory = found.memory or {}
    for region in ("code", "data"):
        if region not in memory:
            place.inside("memory").fail(region, "is missing", "give its origin and length in bytes")
    return memory
