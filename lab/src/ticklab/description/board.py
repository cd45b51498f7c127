# SPDX-License-Identifier: MIT
"""Reads board.toml, the description of a board (docs/reference/descriptions.md explains the
keys).

References to other boards are resolved here, so that nothing else looks up a board's name.
"""

from __future__ import annotations

from pathlib import Path

from ticklab import names, paths
from ticklab.description import fields, machine, toml_table
from ticklab.description.architecture import choose_core
from ticklab.description.model import Board
from ticklab.description.toml_table import Table


def folders() -> dict[str, Path]:
    """Returns the folders of this checkout's boards, by name."""
    found = sorted((paths.CHECKOUT / "platform" / "boards").glob("*/board.toml"))
    return {file.parent.name: file.parent for file in found}


def read_board(folder: Path) -> Board:
    return _board(folder, ("same_images_as", "conformance_board"))


def _board(folder: Path, follow: tuple[str, ...]) -> Board:
    """Reads a board, and the boards that the keys `follow` name. The other references are not
    needed, because only the board that is read first is measured."""
    whole = toml_table.read(folder / "board.toml")
    table = whole.table("board")
    same = _reference(table, "same_images_as", follow, ())
    board = Board(
        name=fields.name(table, "name"),
        title=table.text("title"),
        folder=folder,
        core=choose_core(table, "core", table.text("core", same.core.name if same else None)),
        clock_hz=table.number("clock_hz", minimum=1),
        tick_hz=table.number("tick_hz", minimum=1),
        machine=machine.read(whole),
        memory=_memory(table, same),
        vectors=table.number("vectors", default=same.vectors if same else None),
        profile=table.text("profile") if "profile" in table else None,
        other_cores={
            name: choose_core(table, "other_cores", name) for name in table.texts("other_cores", ())
        },
        cycles_per_count=table.number("cycles_per_count", minimum=1, default=1),
        same_images_as=same,
        conformance_board=_reference(table, "conformance_board", follow, ("same_images_as",)),
        interrupt_injection=(folder / "injection.S").is_file(),
    )
    if board.profile and not board.core.has_cycle_model:
        table.fail("profile", f"is for a cycle model, and {board.core.name} has none", "remove it")
    table.end()
    whole.end()
    return board


def _reference(
    table: Table, key: str, follow: tuple[str, ...], further: tuple[str, ...]
) -> Board | None:
    name = table.text(key) if key in table else None
    if name is None or key not in follow:
        return None
    known = folders()
    if name not in known:
        table.fail(key, f"names '{name}'", names.suggestion(name, known))
    return _board(known[name], further)


def _memory(table: Table, same: Board | None) -> dict[str, tuple[int, int]]:
    if same and "memory" not in table:
        return dict(same.memory)
    memory = table.table("memory")
    regions = {name: _region(memory, name) for name in memory.entries}
    for region in ("code", "data"):
        if region not in regions:
            memory.fail(region, "is missing", "give its origin and length in bytes")
    return regions


def _region(memory: Table, name: str) -> tuple[int, int]:
    origin, length = memory.numbers(name, 2)
    return origin, length
