# SPDX-License-Identifier: MIT
"""Fills tables of clocked cycles that depend on a parameter. Each cell shows several kernels.

The line before a table is its query. It names the parameter, and the kernels in the order in which
cells show them:

    <!-- figures by PARAMETER: KERNEL/CONFIG,… suite=S board=B [optimise=O2] -->

Column heads are values of the parameter, `L = 8` or `8`. The first cell of a row has a comment with
the scenario, and with those of its parameters that do not have their usual value (the first one in
suite.toml): `| create <!-- create-task placement=master --> |`. Parameters that are not given have
their usual value, so the cell shows exactly one record for each kernel. A cell keeps its text if
the baseline has no figure for any of its kernels; a kernel without a figure is shown as `·`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ticklab.description import catalogue
from ticklab.description.model import Scenario
from ticklab.documents import cells
from ticklab.documents.baseline import Figure, Key, Records
from ticklab.errors import TicklabError
from ticklab.names import choose
from ticklab.views import figures

_QUERY = re.compile(r"^<!-- figures by (\w+): (\S+)((?: \w+=\S+)*) -->$")
_NAMES = re.compile(r"<!-- (.*?) -->")
_VALUE = re.compile(r"[\w-]+$")
_DEFAULTS = {"optimise": "O2"}
_NEEDED = {"suite", "board", "optimise"}


@dataclass(frozen=True)
class Query:
    parameter: str
    kernels: tuple[str, ...]  # with their configurations
    suite: str
    board: str
    optimise: str

    def row(self, line: str, head: str, records: Records) -> str:
        """Returns a row of the table with its figures filled in. `head` is the first line of the
        table."""
        first, *old = _cells(line)
        named = _NAMES.search(first)
        if not named:
            return line
        scenario, *given = named[1].split()
        values = [_VALUE.search(cell) for cell in _cells(head)[1:]]
        new = [
            self.cell(scenario, [*given, f"{self.parameter}={value[0]}"], records, cell)
            if value
            else cell
            for value, cell in zip(values, old, strict=True)
        ]
        return f"| {' | '.join([first, *new])} |"

    def cell(self, scenario: str, given: Sequence[str], records: Records, old: str) -> str:
        found = [records.get(self.name(kernel, scenario, given)) for kernel in self.kernels]
        return " / ".join(map(_cycles, found)) if any(found) else old

    def name(self, kernel: str, scenario: str, given: Sequence[str]) -> str:
        """Returns the name of a figure in the baseline, with a value for each parameter of the
        scenario."""
        of = _scenario(self.suite, scenario)
        params = {**of.params, **dict(one.split("=") for one in given)}
        listed = ",".join(f"{name}={value}" for name, value in sorted(params.items()))
        place = f"{self.suite}/{scenario}"
        return str(Key(kernel, self.optimise, self.board, place, of.spans[0].name, listed))


def parse(line: str) -> Query | None:
    """Returns the query that a line holds, or None."""
    found = _QUERY.match(line)
    if not found:
        return None
    words = _DEFAULTS | dict(word.split("=", 1) for word in found[3].split())
    if set(words) != _NEEDED:
        raise TicklabError(f"query of figures '{line}' has an unknown word", "see by_parameter.py")
    kernels = tuple(found[2].split(","))
    return Query(found[1], kernels, words["suite"], words["board"], words["optimise"])


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def _scenario(suite: str, name: str) -> Scenario:
    known = {one.name: one for one in catalogue.find_suite(suite).scenarios}
    return choose("scenario", name, known)


def _cycles(figure: Figure | None) -> str:
    return cells.clocked([figure], [], "") if figure else figures.NOTHING
