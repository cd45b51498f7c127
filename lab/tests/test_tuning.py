# SPDX-License-Identifier: MIT
"""Tests `tune`: the builds of a kernel that no other build beats in cycles, bytes and worst
case."""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from documents import fits
from rich.console import Console
from synthetic import BOARD, LANES, record, run, stats, unmeasured, with_figures

from ticklab import building, cli
from ticklab.commands import tune as command
from ticklab.description import catalogue
from ticklab.description.model import Case, Cycles, Record, Run, Status
from ticklab.errors import UsageError
from ticklab.measurement.progress import Lines
from ticklab.summary import tuning
from ticklab.summary.tuning import Build
from ticklab.views import json as view
from ticklab.views import tuned


def figure(config: str, level: str, cycles: float, worst: float, load: float = 0) -> Record:
    one = record("freertos", "synchronization", cycles, cycles, 0, load)
    bounds = Cycles(stats(cycles), replace(stats(cycles + load), max=worst), "zero-wait")
    return replace(with_figures(one, cycles=bounds), config=config, optimise=level)


def built(figures: Sequence[Record], sizes: Mapping[str, int], flags: str = "") -> list[Build]:
    """Returns builds from these records. `sizes` has the bytes of their images, by configuration
    and level."""
    keys = {f"{one.config} {one.optimise}": one for one in figures}
    name = "freertos/{0.config}/{0.optimise}/" + BOARD
    provenance = {
        "footprints": {name.format(keys[k]): {"s": {"image": size}} for k, size in sizes.items()},
        "builds": {
            name.format(one): {"differs_from_default": {"configUSE_X": f"0 -> {one.config}"}}
            for one in figures
            if one.config != "default"
        },
    }
    lanes = {BOARD: LANES}
    return tuning.of_run(
        replace(run(), provenance=provenance, records=tuple(figures), lanes=lanes), flags
    )


def tuned_names(found: Sequence[tuning.Point]) -> list[str]:
    return [f"{one.build.config} {one.build.optimise}" for one in found]


def example() -> list[Build]:
    return built(
        [
            figure("default", "O2", 100, 150),
            figure("fast", "O2", 80, 150),
            figure("default", "Os", 120, 150),
            figure("calm", "O2", 130, 120),
            figure("bad", "O2", 110, 160),
        ],
        {"default O2": 5000, "fast O2": 6000, "default Os": 4000, "calm O2": 7000, "bad O2": 5000},
    )


def test_a_build_is_beaten_only_by_one_that_is_worse_in_nothing() -> None:
    builds = example()
    found = tuning.tune(builds, builds[0])
    assert tuned_names(found.front) == ["fast O2", "default O2", "default Os", "calm O2"]
    assert tuned_names(found.beaten) == ["bad O2"]
    fastest = found.front[0].mean.cycles
    assert fastest
    assert (fastest.low, fastest.high) == (0.8, 0.8)


def test_equal_builds_do_not_beat_each_other() -> None:
    pair = built(
        [figure("one", "O2", 100, 150), figure("two", "O2", 100, 150)], {"one O2": 1, "two O2": 1}
    )
    assert len(tuning.tune(pair, pair[0]).front) == 2
    assert not tuning.beats(pair[0], pair[1])


def test_an_undecided_build_is_not_beaten() -> None:
    """Build `two` is slower in one corner of the model and faster in another, because it has more
    loads."""
    pair = built(
        [figure("one", "O2", 100, 150), figure("two", "O2", 95, 150, load=10)],
        {"one O2": 1, "two O2": 2},
    )
    assert len(tuning.tune(pair, pair[0]).front) == 2


def test_a_build_without_figures_is_no_candidate_and_says_why() -> None:
    failed = replace(
        unmeasured("freertos", "synchronization", Status.FAIL, "hung"), config="x", optimise="O2"
    )
    builds = built([figure("default", "O2", 100, 150), failed], {"default O2": 1})
    found = tuning.tune(builds, builds[0])
    assert tuned_names(found.front) == ["default O2"]
    assert [one.failures for one in found.failed] == [("synchronization: hung",)]


def shown(builds: Sequence[Build]) -> str:
    out = Console(file=io.StringIO(), width=100, highlight=False, markup=False)
    tuned.show(tuning.tune(builds, builds[0]), "freertos", out)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def test_a_reason_that_builds_share_is_printed_once() -> None:
    def failed(config: str, level: str, reason: str) -> Record:
        one = unmeasured("freertos", "synchronization", Status.FAIL, reason)
        return replace(one, config=config, optimise=level)

    failures = [failed("x", "O2", "hung"), failed("y", "O2", "fell"), failed("x", "Os", "hung")]
    said = shown(built([figure("default", "O2", 100, 150), *failures], {"default O2": 1}))
    assert "no figures of x O2, x Os: synchronization: hung" in said
    assert "no figures of y O2: synchronization: fell" in said
    assert said.count("hung") == 1


def test_the_table_names_the_lines_to_change() -> None:
    said = shown(example())
    assert "freertos: 4 of 5 builds are beaten by none, relative to default O2" in said
    assert "fast O2: configUSE_X: 0 -> fast; compile at -O2" in said
    assert "default Os: as configured; compile at -Os" in said
    assert [line.split()[0] for line in said.splitlines() if line.startswith("★")] == ["★"] * 4


def test_the_json_fits_its_schema() -> None:
    builds = example()
    document = tuned.document(tuning.tune(builds, builds[0]), "freertos")
    fits("tuning", json.loads(view.dumps(document)))


# --- The command ----------------------------------------------------------------------------------


def arguments(tmp_path: Path, *words: str) -> argparse.Namespace:
    parsed = cli.parsers()["tune"].parse_args(["freertos", *words, "--store", str(tmp_path)])
    parsed.command_line = ("ticklab", "tune", *words)
    return parsed


def test_every_configuration_for_the_board_is_tried_at_every_level(tmp_path: Path) -> None:
    asked = arguments(tmp_path, "--for", "synchronization", "--level", "O2", "Os")
    kernel = catalogue.find_kernel("freertos")
    cases = command._cases(asked, kernel, building.find_toolchain(None, ""))
    tried = {(case.variant.config.name, case.variant.optimise) for case in cases}
    names = set(command._configs(asked, kernel))
    assert tried == {(name, level) for name in names for level in ("O2", "Os")}
    assert {"default", "inline-critical", "asserts"} <= names
    assert cases[0].variant.config.name == "default"


def test_scenarios_that_exercise_no_kernel_are_refused(tmp_path: Path) -> None:
    asked = arguments(tmp_path, "--for", "basic-processing", "--config", "default")
    with pytest.raises(UsageError, match="none of these scenarios exercises the kernel"):
        command._cases(asked, catalogue.find_kernel("freertos"), building.find_toolchain(None, ""))


def test_conformance_is_proven_for_the_front_alone_and_what_fails_leaves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[bool, list[str]]] = []
    cycles = {"default": 100.0, "asserts": 120.0, "inline-critical": 80.0}

    def measured(
        _: object, cases: Sequence[Case], toolchain: object, progress: object, proven: bool
    ) -> Run:
        names = [case.variant.config.name for case in cases]
        asked.append((proven, names))
        records = [figure(name, "O2", cycles[name], 150) for name in names]
        if proven and "inline-critical" in names:
            reason = "the port fails conformance"
            bad = unmeasured("freertos", "synchronization", Status.BLOCKED, reason)
            at = names.index("inline-critical")
            records[at] = replace(bad, config="inline-critical", optimise="O2")
        return replace(run(), records=tuple(records), lanes={BOARD: LANES})

    monkeypatch.setattr(command, "_measured", measured)
    words = ["--for", "synchronization", "--level", "O2", "--config", *cycles]
    kernel, one = catalogue.find_kernel("freertos"), arguments(tmp_path, *words)
    toolchain = building.find_toolchain(None, "")
    every = {"": command._cases(one, kernel, toolchain)}
    found = command._tuned(one, every, {"": toolchain}, Lines(io.StringIO()))
    assert asked == [
        (False, ["default", "asserts", "inline-critical"]),
        (True, ["inline-critical"]),
        (True, ["default"]),
    ]
    assert tuned_names(found.front) == ["default O2"]
    assert found.failed[0].config == "inline-critical"


def test_a_kernel_without_figures_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = replace(
        unmeasured("freertos", "synchronization", Status.FAIL, "hung"), config="default"
    )
    monkeypatch.setattr(command, "_measured", lambda *_, proven: replace(run(), records=(failed,)))
    words = ["--for", "synchronization", "--level", "O2", "--config", "default"]
    assert command.run(arguments(tmp_path, *words)) == 1


def test_the_command_prints_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measured(_: object, cases: Sequence[Case], *rest: Any, proven: bool) -> Run:
        names = (case.variant.config.name for case in cases)
        records = tuple(figure(name, "O2", 100, 150) for name in names)
        return replace(run(), records=records, lanes={BOARD: LANES})

    monkeypatch.setattr(command, "_measured", measured)
    words = ["--for", "synchronization", "--level", "O2", "--config", "default", "--json", "-"]
    assert command.run(arguments(tmp_path, *words)) == 0
    found = json.loads(capsys.readouterr().out)
    assert [point["config"] for point in found["front"]] == ["default"]
