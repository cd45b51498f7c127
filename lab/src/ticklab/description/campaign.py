# SPDX-License-Identifier: MIT
"""Reads a campaign for `campaign`: blocks of cases, and where their records are kept
(docs/reference/descriptions.md explains the keys)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from ticklab.description import table
from ticklab.description.folders import BOARDS, KERNELS, SUITES
from ticklab.description.keys import Name, Positive, Text, Texts
from ticklab.description.table import Table

BOARD, SUITE = "mps2-an386", "thread-metric"
EVERY = "all"


class CampaignTable(Table, frozen=True, kw_only=True):
    """The campaign as a whole."""

    name: Annotated[Name, Meta(description="name of the campaign, and of its default store")]
    store: Annotated[
        Text | None,
        Meta(
            description="where records are kept: a folder, relative to the file, or `s3://…` "
            "(default `campaigns/NAME` in `.ticklab`)"
        ),
    ] = None


class CasesTable(Table, frozen=True, kw_only=True):
    """A block of cases: every combination of its values, as the options of `run`. A scenario of
    suite `worst-case` is one observation of all its injection points."""

    kernel: Annotated[
        Texts, Meta(description="kernels, as KERNEL, FOLDER or KERNEL/CONFIG (default all)")
    ] = ()
    config: Annotated[
        Texts,
        Meta(
            description="configurations of the kernels; `all` stands for every configuration of "
            "each kernel (default the ranked ones)"
        ),
    ] = ()
    board: Annotated[Texts, Meta(description="boards, by name or folder", min_length=1)] = (BOARD,)
    suite: Annotated[Texts, Meta(description="suites, by name or folder", min_length=1)] = (SUITE,)
    scenario: Annotated[Texts, Meta(description="scenarios of the suites (default all)")] = ()
    optimise: Annotated[Texts, Meta(description="levels of the compiler", min_length=1)] = ("O2",)
    cc: Annotated[
        Texts, Meta(description="compilers, as `--cc` of `run` (default the usual one)")
    ] = ()
    layouts: Annotated[Positive, Meta(description="code placements of each image")] = 1
    param: Annotated[
        dict[str, Texts], Meta(description="values of parameters (default those of the suite)")
    ] = {}
    samples: Annotated[
        Positive | None, Meta(description="least samples of a span (default as in the suite)")
    ] = None
    clock_hz: Annotated[Positive | None, Meta(description="clock (default the board's)")] = None
    profile: Annotated[
        Text | None,
        Meta(description="timing profile of the memories, by name or file (default the board's)"),
    ] = None


class RefineTable(Table, frozen=True, kw_only=True):
    """How many more code placements are measured for a case whose verdict against the reference
    differs between placements."""

    reference: Annotated[
        Text, Meta(description="KERNEL/CONFIG with which all other builds are compared")
    ]
    layouts: Annotated[
        Positive,
        Meta(
            description="how many code placements of a case are measured if the verdict differs "
            "between pairs of placements"
        ),
    ]


class CampaignFile(Table, frozen=True):
    """A campaign."""

    campaign: CampaignTable
    cases: Annotated[tuple[CasesTable, ...], Meta(min_length=1)]
    refine: RefineTable | None = None


@dataclass(frozen=True)
class Campaign:
    name: str
    store: str | None  # as in the file, but with an absolute path if it is a folder
    blocks: tuple[CasesTable, ...]
    refine: RefineTable | None


def read(file: Path) -> Campaign:
    """Reads campaign.toml. Raises UsageError for the first mistake."""
    whole, place = table.read(file, CampaignFile)
    for number, block in enumerate(whole.cases, 1):
        if EVERY in block.config and len(block.config) > 1:
            place.inside(f"cases {number}").fail("config", f"has '{EVERY}' and names", "keep one")
    if whole.refine and "/" not in whole.refine.reference:
        place.inside("refine").fail("reference", "has no '/'", "write KERNEL/CONFIG")
    named = whole.campaign.store
    if named and "://" not in named:
        named = str((file.parent / named).resolve())
    blocks = tuple(_placed(block, file.parent) for block in whole.cases)
    return Campaign(whole.campaign.name, named, blocks, whole.refine)


def _placed(block: CasesTable, folder: Path) -> CasesTable:
    """Returns the block of cases with absolute paths in place of paths relative to the campaign's
    file."""

    def placed(words: Texts) -> Texts:
        return tuple(_word(word, folder) for word in words)

    return replace(
        block,
        kernel=placed(block.kernel),
        config=placed(block.config),
        board=placed(block.board),
        suite=placed(block.suite),
        profile=_word(block.profile, folder) if block.profile else None,
    )


def _word(word: str, folder: Path) -> str:
    """Returns the absolute path for a path to a folder or a file, or for FOLDER/CONFIG. Returns a
    name, which is no path, unchanged."""
    head, _, config = word.rpartition("/")
    known = (KERNELS.every(), BOARDS.every(), SUITES.every())
    if any(word in names or head in names for names in known):
        return word
    if (folder / word).exists():
        return str((folder / word).resolve())
    return f"{(folder / head).resolve()}/{config}" if head and (folder / head).is_dir() else word
