# SPDX-License-Identifier: MIT
"""Figures in documents against a fresh measurement: cells that an earlier change left stale."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ticklab import cli, paths

METHOD = ("explanation/method.md", "scenario", "freertos", "freertos-mpu", "rt", "rt-mpu")
SERVICES = ("explanation/findings/services.md", "service", "FreeRTOS", "rt")
USUAL = ("waiters=1", "ready=0", "tasks=1", "fpu=unused")


def table(document: str, *heads: str) -> dict[str, dict[str, str]]:
    """The first table of a document with these heads: row -> head -> cell."""
    lines = [
        [cell.strip().replace("`", "") for cell in line.strip("|\n ").split("|")]
        for line in (paths.CHECKOUT / "docs" / document).read_text().splitlines()
        if line.startswith("|")
    ]
    at = next(i for i, cells in enumerate(lines) if tuple(cells[: len(heads)]) == heads)
    width = len(lines[at])
    rows: dict[str, dict[str, str]] = {}
    for cells in lines[at + 2 :]:
        if len(cells) != width or cells[0] in rows:
            break
        rows[cells[0]] = dict(zip(lines[at], cells, strict=True))
    return rows


def measured(folder: Path, *words: str) -> list[dict[str, Any]]:
    file = folder / "figures.json"
    places = ("--store", str(folder / "store"), "--json", str(file))
    assert cli.main(["run", *words, "--skip-conformance", "--no-model", *places]) == 0
    records: list[dict[str, Any]] = json.loads(file.read_text())["records"]
    return [one for one in records if one["instructions"]]


def shown(value: float) -> str:
    return f"{value:,.0f}" if value == round(value) else f"{value:,.1f}"


def rounded(value: float) -> str:
    return shown(round(value, 1))


def test_the_table_of_kernels_with_memory_protection_is_fresh(tmp_path: Path) -> None:
    documented = table(*METHOD)
    scenarios = ("cooperative-scheduling", "preemptive-scheduling", "interrupt-preemption")
    found = measured(tmp_path, "--kernel", *METHOD[2:], "--scenario", *scenarios)
    assert len(found) == 8
    for one in found:
        cell = documented[one["scenario"]][one["kernel"]]
        exceptions = f"({rounded(one['exceptions'])})"
        figure = one["instructions"]["mean"]
        assert cell in {f"{text(figure)} {exceptions}" for text in (shown, rounded)}


# Those of rt whose samples differ: a change of any port or flag moves them first.
def test_the_services_whose_samples_differ_are_fresh(tmp_path: Path) -> None:
    documented = table(*SERVICES)
    scenarios = ("cooperative-switch", "mutex-lock-block", "queue-uncontended")
    words = ("--suite", "services", "--kernel", "rt", "--scenario", *scenarios)
    found = measured(tmp_path, *words, "--param", *USUAL)
    assert {one["scenario"] for one in found} == set(scenarios)
    for one in found:
        names = (one["scenario"], f"{one['scenario']} {one['span']}")
        (row,) = [documented[name] for name in names if name in documented]
        ticked = one["interrupted"]["instructions"]["max"] if one["interrupted"] else None
        cells = [shown(one["instructions"]["mean"]), shown(one["instructions"]["max"])]
        assert row["rt"] == " / ".join([*cells, "·" if ticked is None else shown(ticked)])
