# SPDX-License-Identifier: MIT
"""Tests tables and plots of several nodes: each cell is filled only with the figure of its own row
and column."""

from __future__ import annotations

import pytest

from ticklab.documents import baseline, by_parameter, figures, pictures
from ticklab.documents.baseline import Figure
from ticklab.errors import TicklabError, UsageError

QUERY = "<!-- figures by existing: a/c,b/c suite=multiprocessor board=ibex-multi -->"
START = "O2 ibex-multi multiprocessor/create-task create-task bus_latency=8,existing="


def figure(cycles: float) -> Figure:
    return Figure(1, 1, None, 0, cycles, cycles, "abc")


def table(row: str) -> str:
    return f"{QUERY}\n| | none = 0 | 16 | why |\n|---|---|---|---|\n{row}\n"


def row_of(names: str, records: dict[str, Figure]) -> str:
    row = f"| master <!-- {names} --> | old | older | text? |"
    return figures.filled(table(row), records).splitlines()[3]


def test_a_cell_has_each_kernel_at_the_value_of_its_column() -> None:
    records = {
        f"a/c {START}0,nodes=2,placement=master": figure(118),
        f"b/c {START}0,nodes=2,placement=master": figure(1092.26),
        f"b/c {START}16,nodes=2,placement=master": figure(93),
        f"a/c {START}16,nodes=2,placement=slave": figure(7),
        f"a/c {START.replace('_latency=8', '_latency=33')}16,nodes=2,placement=master": figure(7),
    }
    filled = "| master <!-- create-task placement=master --> | 118 / 1,092.3 | · / 93 | text? |"
    assert row_of("create-task placement=master", records) == filled


def test_a_cell_without_any_figure_keeps_its_text() -> None:
    other_level = {f"a/c {START.replace('O2', 'O0')}0,nodes=2,placement=slave": figure(7)}
    row = "| master <!-- create-task --> | old | older | text? |"
    assert row_of("create-task", other_level) == row


def test_modelled_cycles_are_not_clocked_ones() -> None:
    bounds = Figure(1, 1, None, 0, 100, 120, "abc")
    records = {f"a/c {START}0,nodes=2,placement=slave": bounds}
    assert row_of("create-task", records).startswith("| master <!-- create-task --> | – / · |")


def test_an_unknown_scenario_or_word_is_refused() -> None:
    with pytest.raises(UsageError, match="create-tsk"):
        row_of("create-tsk", {})
    with pytest.raises(TicklabError, match="place"):
        by_parameter.parse(QUERY.replace("board=", "place="))


def test_a_table_of_several_nodes_needs_no_other_reason() -> None:
    assert list(figures.unfilled(table("| a <!-- create-task --> | 1 | 2 | 3 |"))) == []


def test_a_plot_without_figures_is_refused() -> None:
    """A plot is drawn only if the baseline has the figures of all of its lines."""
    start = "bulkhead-rtu/machine-mode O2+called ibex-multi multiprocessor/create-task"
    records = {name: one for name, one in baseline.read().items() if not name.startswith(start)}
    with pytest.raises(TicklabError, match=r"nodes-create\.svg has no figures"):
        pictures.drawn(records)
