# SPDX-License-Identifier: MIT
"""Tests shards of a run and of a campaign: merged, they are the whole run, with its records in the
same order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import campaign_simulation as simulation
import pytest
import synthetic
from test_campaign import conducted, keys

from ticklab.campaign.shared import SharedStore
from ticklab.cli import main
from ticklab.description.model import Run
from ticklab.errors import TicklabError, UsageError
from ticklab.measurement import cases, merging
from ticklab.storage.store import Store

CHOICE = cases.CaseChoice(
    kernels=["freertos", "rt", "bulkhead"], boards=["mps2-an386"], suites=["rhealstone"],
    optimise="O2", layouts=2,
)  # fmt: skip


def whole() -> Run:
    """Returns a run of three builds."""
    found = [
        synthetic.record(kernel, scenario)
        for kernel in ("freertos", "rt", "bulkhead")
        for scenario in ("message-processing", "synchronization")
    ]
    builds = {f"{one.kernel}/default/O2/mps2-an386": {"compiler": "gcc"} for one in found}
    provenance = {
        "command": ["ticklab", "run", "--samples", "5"],
        "ticklab": {"version": "1", "commit": "a"},
        "boards": {"mps2-an386": {"clock_hz": 25}},
        "builds": builds,
    }
    return Run("whole", provenance, tuple(found), {"mps2-an386": synthetic.LANES})


def part(run: Run, number: int, of: int, **provenance: Any) -> Run:
    kernels = list(dict.fromkeys(one.kernel for one in run.records))
    kept = tuple(one for one in run.records if kernels.index(one.kernel) % of == number - 1)
    builds = {k: v for k, v in run.provenance["builds"].items() if k.split("/")[0] in
              {one.kernel for one in kept}}  # fmt: skip
    own = {"builds": builds, "shard": f"{number}/{of}", **provenance}
    own["command"] = [*run.provenance["command"], "--shard", f"{number}/{of}", "--store=x"]
    return replace(run, id=f"part-{number}", records=kept, provenance={**run.provenance, **own})


def test_each_case_is_in_one_shard_with_its_build() -> None:
    every = cases.expand(CHOICE)
    parts = [cases.shard(every, number, 2) for number in (1, 2)]
    assert len(parts[0]) + len(parts[1]) == len(every)
    builds = [{case.variant.build for case in each} for each in parts]
    assert not builds[0] & builds[1]
    with pytest.raises(UsageError, match=str(len(builds[0] | builds[1]))):
        cases.shard(every, 90, 90)


@pytest.mark.parametrize("of", [1, 2, 3])
def test_merged_shards_are_the_run(of: int) -> None:
    run = whole()
    (found,) = merging.merge([part(run, number, of) for number in range(of, 0, -1)])
    assert found.records == run.records
    assert found.lanes == run.lanes
    assert found.provenance["builds"] == run.provenance["builds"]
    assert found.provenance["command"] == run.provenance["command"]
    assert "shard" not in found.provenance


def test_runs_of_whole_commands_stay() -> None:
    assert merging.merge([whole()]) == [whole()]


def test_a_missing_shard_is_named() -> None:
    with pytest.raises(UsageError, match="2 of 3"):
        merging.merge([part(whole(), 1, 3), part(whole(), 3, 3)])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ticklab", {"version": "1", "commit": "b"}),
        ("boards", {"mps2-an386": {"clock_hz": 26}}),
    ],
)
def test_shards_of_different_machines_are_refused(name: str, value: object) -> None:
    with pytest.raises(TicklabError, match=name):
        merging.merge([part(whole(), 1, 2), part(whole(), 2, 2, **{name: value})])


def test_stores_are_merged(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for number in (1, 2):
        store = Store(tmp_path / str(number))
        store.open_for_writing()
        store.add_run(part(whole(), number, 2))
    words = [str(tmp_path / "1"), str(tmp_path / "2"), "--store", str(tmp_path / "whole")]
    assert main(["store", "merge", *words]) == 0
    (run,) = Store(tmp_path / "whole").every_run()
    assert run.records == whole().records
    assert main(["store", "merge", words[0], "--store", words[0]]) == 2
    assert main(["store", "merge", str(tmp_path / "none"), "--store", words[-1]]) == 2
    assert "none" in capfd.readouterr().err


def test_shards_of_a_campaign_are_merged(tmp_path: Path) -> None:
    plan = simulation.plan(5)
    places = [str(tmp_path / str(number)) for number in (1, 2, 3)]
    for number, place in enumerate(places, 1):
        found = replace(plan, shard=(number, 3))
        assert conducted(found, SharedStore(place)).finished == len(keys(found)) < len(keys(plan))
    assert main(["store", "merge", *places, "--store", str(tmp_path / "whole")]) == 0
    assert conducted(plan, SharedStore(str(tmp_path / "whole"))).observed == 0
