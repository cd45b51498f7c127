# SPDX-License-Identifier: MIT
"""Divides the cases of a campaign into orders. An *order* is a group of cases of one variant, which
one worker measures; words of the command line name them.

An order contains no description, no path of the planning machine and no open file, so that it means
the same to every worker. The key of a case is a hash of its words and of the identity of the
machine. The key is known before anything is built, so an observed case costs only a look-up.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice, product
from pathlib import Path
from typing import Any

from ticklab import digest
from ticklab.campaign.identity import Identity, Means
from ticklab.description import catalogue
from ticklab.description.campaign import EVERY, Campaign, CasesTable
from ticklab.description.folders import KERNELS
from ticklab.description.model import Case, Profile, Scenario, Variant
from ticklab.measurement import cases
from ticklab.measurement.cases import CaseChoice

KEY = 1  # increase it if the meaning of stored observations changes
DEFAULT_COMPILER = "default"  # name of the default compiler in results
GROUP = 64  # number of variants that are planned together, so that a long plan needs little memory
LONGEST = 32  # most cases of an order: some seconds of work


@dataclass(frozen=True)
class Order:
    """A group of cases of one variant. `keys` maps the index of a case among the cases of `choice`
    to the case's key."""

    choice: CaseChoice
    layout: int
    compiler: str | None
    profile: str | None  # timing profile; None: the board's usual profile
    keys: Mapping[int, str]

    @property
    def name(self) -> str:
        return digest.hash_json(sorted(self.keys.values()))[:32]

    @property
    def variant(self) -> Hashable:
        """Identifies what a worker builds and tests before it observes the first case."""
        found = self.choice
        words = (*found.kernels, *found.configs, *found.boards)
        return words, found.optimise, found.clock_hz, self.compiler

    @property
    def label(self) -> str:
        (kernel,), (board,) = self.choice.kernels, self.choice.boards
        config = f"/{self.choice.configs[0]}" if self.choice.configs else ""
        return f"{kernel}{config} {self.choice.optimise} {board} layout {self.layout}"

    def without(self, finished: Container[str]) -> Order:
        left = {place: key for place, key in self.keys.items() if key not in finished}
        return replace(self, keys=left)

    def cases(self) -> Iterator[tuple[str, Case]]:
        """Yields each case with its key. The cases are made from the descriptions in this machine's
        checkout."""
        found = cases.expand(self.choice)
        for place, key in self.keys.items():
            yield key, found[place].varied(layout=self.layout)


def means(campaign: Campaign) -> Means:
    """Returns the boards, compilers and folders that the campaign uses. Reads each board and timing
    profile, so that a wrong name is found before the campaign starts."""
    for block in campaign.blocks:
        for name in block.board:
            timing(name, block.profile)
    words = [
        word
        for block in campaign.blocks
        for word in (*block.kernel, *block.config, *block.board, *block.suite, block.profile)
        if word and Path(word).is_absolute()
    ]
    foreign = {word if Path(word).exists() else str(Path(word).parent) for word in words}
    return Means(
        tuple(sorted({name for block in campaign.blocks for name in block.board})),
        tuple(dict.fromkeys(cc for block in campaign.blocks for cc in block.cc or (None,))),
        tuple(sorted(foreign)),
    )


def timing(board: str, wanted: str | None) -> tuple[str, Profile | None]:
    """Returns the name in a board's description, and its timing profile: the wanted one or, if none
    is named, the board's default."""
    found = catalogue.find_board(board)
    profile = catalogue.timing(found, wanted)
    return found.name, catalogue.find_profile(profile) if profile else None


@dataclass(frozen=True)
class Cell:
    """A case of the plan. `place` is everything that identifies the case except its code layout."""

    place: tuple[object, ...]
    compiler: str | None
    key: str


@dataclass(frozen=True)
class Widened:
    """The cases for which more code placements are measured. If `places` is empty, there are
    none."""

    places: frozenset[tuple[object, ...]] = frozenset()
    layouts: int = 0


@dataclass(frozen=True)
class Plan:
    """All cases of a campaign, for machines with the same identity."""

    campaign: Campaign
    known: Identity
    widened: Widened = Widened()
    shard: tuple[int, int] = (1, 1)

    def orders(self) -> Iterator[Order]:
        """Yields the orders of the shard one by one, so that a long plan needs little memory."""
        part, of = self.shard
        yield from islice(self._every_order(), part - 1, None, of)

    def _every_order(self) -> Iterator[Order]:
        """Yields the first code placement of all variants in a group before any second one. The
        first order of a variant takes longest, because it compiles the kernel and tests
        conformance. So workers get long orders of different variants first, and short orders
        last."""
        machine, rows = origin(self.known), self._rows()
        while group := list(islice(rows, GROUP)):
            for layout in range(max(self._layouts(row) for row in group)):
                for row in group:
                    keys = {n: key(row.words[n], layout, machine) for n in self._asked(row, layout)}
                    for part in _parts(keys):
                        yield Order(row.choice, layout, row.compiler, row.profile, part)

    def cells(self) -> Iterator[Cell]:
        """Yields the cases of the plan."""
        machine = origin(self.known)
        for row in self._rows():
            for layout in range(self._layouts(row)):
                for words in (row.words[n] for n in self._asked(row, layout)):
                    yield Cell(place(words), row.compiler, key(words, layout, machine))

    def _asked(self, row: _Row, layout: int) -> Iterator[int]:
        for number, words in enumerate(row.words):
            if layout < row.layouts or place(words) in self.widened.places:
                yield number

    def _layouts(self, row: _Row) -> int:
        return max(row.layouts, self.widened.layouts)

    def _rows(self) -> Iterator[_Row]:
        """Yields the variants of each block of cases, for each compiler and level."""
        for block in self.campaign.blocks:
            for compiler, level in product(block.cc or (None,), block.optimise):
                yield from _rows(block, compiler, level)


@dataclass(frozen=True)
class _Row:
    """A variant in all scenarios of its block of cases."""

    choice: CaseChoice
    compiler: str | None
    profile: str | None
    words: Sequence[Mapping[str, Any]]
    layouts: int


def _rows(block: CasesTable, compiler: str | None, level: str) -> Iterator[_Row]:
    choice = _choice(block, level)
    scenarios = cases.scenarios(choice)
    for variant in cases.variants(choice):
        words = [_words(variant, each, compiler, block.profile) for each in scenarios]
        narrowed = _narrowed(choice, variant)
        yield _Row(narrowed, compiler, block.profile, words, block.layouts)


def place(words: Mapping[str, Any]) -> tuple[object, ...]:
    params = words["params"]
    named = ("kernel", "config", "board", "optimise", "compiler", "profile", "suite", "scenario")
    return (*(words[name] for name in named), *sorted(params.items()))


def _parts(keys: Mapping[int, str]) -> Iterator[dict[int, str]]:
    rest = iter(keys.items())
    while part := dict(islice(rest, LONGEST)):
        yield part


def key(words: Mapping[str, Any], layout: int, machine: str) -> str:
    """Returns the key of a case. `machine` is the hash of the identity of the machine that observes
    it."""
    return digest.hash_json([KEY, machine, words, layout])[:32]


def origin(known: Identity) -> str:
    return digest.hash_json(dict(known))


def _choice(block: CasesTable, level: str) -> CaseChoice:
    return CaseChoice(
        kernels=block.kernel,
        configs=() if EVERY in block.config else block.config,
        boards=block.board,
        suites=block.suite,
        scenarios=block.scenario,
        optimise=level,
        params=block.param,
        samples=block.samples,
        clock_hz=block.clock_hz,
        every_config=EVERY in block.config,
    )


def _narrowed(choice: CaseChoice, variant: Variant) -> CaseChoice:
    """Returns the choice for one variant alone, in words that any machine understands."""
    kernel, config = variant.kernel, variant.config
    word = kernel.name if kernel.name in KERNELS.every() else str(kernel.folder)
    named = config.name if config.name in kernel.configs else str(config.header)
    (board,) = (name for name in choice.boards if catalogue.find_board(name) == variant.board)
    return replace(choice, kernels=(word,), configs=(named,), boards=(board,), every_config=False)


def _words(
    variant: Variant, scenario: Scenario, compiler: str | None, profile: str | None
) -> dict[str, Any]:
    return {
        "kernel": variant.kernel.name,
        "config": variant.config.name,
        "board": variant.board.name,
        "optimise": variant.optimise,
        "clock_hz": variant.clock_hz,
        "compiler": compiler,
        "profile": profile,
        "suite": scenario.suite,
        "scenario": scenario.name,
        "params": dict(scenario.params),
        "plan": asdict(scenario.plan),
    }
