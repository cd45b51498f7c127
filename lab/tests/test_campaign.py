# SPDX-License-Identifier: MIT
"""Tests campaigns without Dask: the plan, the shared store, which cases remain, refinement, and the
results."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import bucket
import campaign_simulation as simulation
import pytest
import synthetic
from documents import fits

from ticklab import paths
from ticklab.campaign import conduct, document, identity, orders, results, worker
from ticklab.campaign.conduct import Conductor, Outcome
from ticklab.campaign.orders import Plan
from ticklab.campaign.shared import SharedStore
from ticklab.campaign.worker import Report, Task, Worker
from ticklab.cli import main
from ticklab.comparison.compare import Verdict
from ticklab.description import campaign as description
from ticklab.description.campaign import RefineTable
from ticklab.errors import TicklabError, UsageError
from ticklab.measurement.campaign import Outcome as CaseOutcome
from ticklab.views import json as view

SMALL = """
[campaign]
name = "small"
[[cases]]
kernel = ["rt"]
scenario = ["synchronization"]
"""


def here(tasks: Iterator[Task], work: Worker, done: Callable[[Task, Report], None]) -> None:
    """Carries out tasks in this process."""
    for task in tasks:
        done(task, work(task))


def conducted(plan: Plan, store: SharedStore, work: Worker = simulation.observe) -> Outcome:
    return Conductor(store, here, work, lambda _: None).conduct(conduct.left_of(plan, store))


@pytest.fixture
def store(tmp_path: Path) -> SharedStore:
    return SharedStore(str(tmp_path / "store"))


@pytest.fixture
def in_a_bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[SharedStore, bucket.Bucket]]:
    with bucket.served() as served:
        for name, value in served.variables.items():
            monkeypatch.setenv(name, value)
        yield SharedStore("s3://any/campaigns/one"), served


# --- The plan of a campaign -----------------------------------------------------------------------


def keys(plan: Plan) -> list[str]:
    return [key for order in plan.orders() for key in order.keys.values()]


def test_each_case_has_a_key_of_its_own() -> None:
    found = keys(simulation.plan(8, optimise=("O2", "Os"), cc=("gcc", "clang")))
    assert len(found) == len(set(found)) == 2 * 3 * 8 * 2 * 2


def test_a_key_changes_with_the_machine_only() -> None:
    plan = simulation.plan(2)
    assert keys(plan) == keys(simulation.plan(2))
    assert not set(keys(plan)) & set(keys(replace(plan, known={"sources": "other"})))


def test_an_order_is_small_and_has_no_path_of_this_machine() -> None:
    for order in simulation.plan(1, config=("all",), kernel=("freertos",)).orders():
        data = pickle.dumps(order)
        assert len(data) < 4096
        assert str(paths.CHECKOUT).encode() not in data


def test_an_order_means_its_cases() -> None:
    plan = simulation.plan(2, suite=("services",), scenario=(), config=("all",), kernel=("rt",))
    for order in plan.orders():
        for key, case in order.cases():
            words = orders._words(replace(case.variant, layout=0), case.scenario, None, None)
            assert key == orders.key(words, case.variant.layout, orders.origin(plan.known))


def test_a_plan_of_100_000_cases_takes_little() -> None:
    """The process may use 10 s of processor time and 1 GB of memory."""
    program = """
from pathlib import Path
import campaign_simulation as simulation
plan = simulation.plan(75, kernel=("freertos", "rt"), config=("all",), suite=("services",),
                       scenario=(), optimise=("O2", "Os", "O3"))
print(sum(len(order.keys) for order in plan.orders()))
"""
    limits = ["prlimit", "--cpu=10", f"--data={1 << 30}", "--"]
    path = f"{Path(__file__).parent}{os.pathsep}{paths.CHECKOUT / 'lab' / 'src'}"
    answer = subprocess.run(
        [*limits, sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(answer.stdout) > 100_000


@pytest.mark.long
def test_the_cost_of_a_case_does_not_grow(tmp_path: Path) -> None:
    """In processor time, from 1,000 simulated observations to 100,000, with plan and results."""
    costs = []
    for layouts in (170, 17_000):
        begun = time.process_time()
        found = conducted(simulation.plan(layouts), SharedStore(str(tmp_path / str(layouts))))
        costs.append((time.process_time() - begun) / found.finished)
    assert costs[1] < 1.5 * costs[0]


def test_the_first_order_of_every_variant_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first order (batch of cases) of a variant takes longest, because it compiles the kernel.
    Workers first get orders of different variants, and last the short ones."""
    every = [(level, name) for level in ("O2", "Os") for name in ("freertos", "rt")]

    def found() -> list[tuple[int, str, str]]:
        plan = simulation.plan(3, optimise=("O2", "Os"))
        return [(n.layout, n.choice.optimise, n.choice.kernels[0]) for n in plan.orders()]

    assert found() == [(n, *variant) for n in range(3) for variant in every]
    monkeypatch.setattr(orders, "GROUP", 2)  # as in a plan of very many variants
    groups = (every[:2], every[2:])
    assert found() == [(n, *each) for group in groups for n in range(3) for each in group]


def test_every_named_configuration_is_in_the_plan() -> None:
    plan = simulation.plan(1, config=("all",), kernel=("freertos",))
    named = {order.choice.configs for order in plan.orders()}
    assert {("default",), ("inline-critical",)} < named


# --- The description of a campaign ----------------------------------------------------------------


def read(tmp_path: Path, text: str) -> description.Campaign:
    file = tmp_path / "campaign.toml"
    file.write_text(text)
    return description.read(file)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (SMALL.replace("kernel =", "kernels ="), "kernels"),
        (SMALL + "layouts = 0", "layouts"),
        (SMALL + 'config = ["all", "default"]', "config"),
        (SMALL + '[refine]\nreference = "rt"\nlayouts = 2', "reference"),
        ('[campaign]\nname = "a"', "cases"),
        (SMALL + "board = []", "board"),
        (SMALL + "profile = 3", "profile"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, key: str) -> None:
    with pytest.raises(UsageError) as error:
        read(tmp_path, text)
    assert key in str(error.value)
    assert "campaign.toml" in str(error.value)


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    text = SMALL.replace('"rt"', '"mine", "mine/fast", "rt/default"')
    whole = str(tmp_path / "mine")
    (block,) = read(tmp_path, text + '[refine]\nreference="a/b"\nlayouts=2').blocks
    assert block.kernel == (whole, f"{whole}/fast", "rt/default")
    found = replace(simulation.plan(1).campaign, blocks=(block,))
    assert orders.means(found).foreign == (whole,)


def test_a_profile_makes_other_cases(tmp_path: Path) -> None:
    of_board, wanted = simulation.plan(1), simulation.plan(1, profile="zero-wait")
    assert not set(keys(of_board)) & set(keys(wanted))
    assert {order.profile for order in wanted.orders()} == {"zero-wait"}
    (tmp_path / "slow.toml").write_text("")
    (block,) = read(tmp_path, SMALL + 'profile = "slow.toml"').blocks
    assert block.profile == str(tmp_path / "slow.toml")
    assert read(tmp_path, SMALL + 'profile = "zero-wait"').blocks[0].profile == "zero-wait"


@pytest.mark.parametrize(
    ("board", "profile", "what"),
    [("mps2-an386", "zero-weight", "zero-wait"), ("virt-linux", "zero-wait", "no cycle model")],
)
def test_a_wrong_profile_ends_the_plan(board: str, profile: str, what: str) -> None:
    plan = simulation.plan(1, board=(board,), profile=profile)
    with pytest.raises((UsageError, TicklabError), match=what):
        orders.means(plan.campaign)


def test_a_changed_folder_changes_the_identity(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("1")
    before = identity._tree(tmp_path)
    (tmp_path / ".hidden").write_text("1")
    assert identity._tree(tmp_path) == before
    (tmp_path / "a.c").write_text("2")
    assert identity._tree(tmp_path) != before


# --- The shared store -----------------------------------------------------------------------------


def test_an_observation_is_written_once(store: SharedStore) -> None:
    assert store.add("ab", {"value": 1})
    assert not store.add("ab", {"value": 2})
    ((_, found),) = store.observations(["ab"])
    assert found
    assert found["value"] == 1


@pytest.mark.parametrize("data", [b"", b"{}", b"{", b'{"schema": 1, "value": 2, "sha256": "0"}'])
def test_a_damaged_observation_is_made_again(store: SharedStore, data: bytes) -> None:
    store.add("ab", {"value": 1})
    (file,) = Path(store.place).rglob("ab.json")
    file.write_bytes(data)
    store.drop_unfinished()
    if data:
        assert list(store.observations(["ab"])) == [("ab", None)]
    assert store.finished() == set()
    assert store.add("ab", {"value": 1})


def test_a_bucket_keeps_a_campaign(in_a_bucket: tuple[SharedStore, bucket.Bucket]) -> None:
    store, served = in_a_bucket
    plan = simulation.plan(1)
    found = conducted(plan, store)
    assert (found.observed, found.finished) == (6, 6)
    key = keys(plan)[0]
    assert not store.add(key, {"value": 2})
    assert results.ask("SELECT count(*) FROM records", found.collected.parts, store)[1] == [(6,)]
    (place,) = (name for name in served.objects if name.endswith(f"/{key}.json"))
    assert place.startswith("campaigns/one/observations/")
    served.objects[place] = b"{}"
    assert list(store.observations([key])) == [(key, None)]
    assert conducted(plan, store).observed == 1


def test_a_bucket_that_does_not_answer_is_named(
    in_a_bucket: tuple[SharedStore, bucket.Bucket],
) -> None:
    store, served = in_a_bucket
    served.objects.clear()
    with pytest.raises(TicklabError, match="s3://any/campaigns/one"):
        list(store.observations(["0" * 32]))


def test_a_place_that_is_no_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="gopher"):
        SharedStore("gopher://a")
    (tmp_path / "file").write_text("")
    with pytest.raises(TicklabError, match="file"):
        SharedStore(str(tmp_path / "file"))


# --- The course of a campaign ---------------------------------------------------------------------


def test_a_second_command_observes_what_is_left(store: SharedStore) -> None:
    assert conducted(simulation.plan(1), store).observed == 6
    found = conducted(simulation.plan(3), store)
    assert (found.observed, found.finished, found.cases) == (12, 18, 18)
    assert conducted(simulation.plan(3), store).observed == 0


def test_a_case_that_was_not_kept_is_tried_again(store: SharedStore) -> None:
    plan = simulation.plan(1)
    found = conducted(plan, store, lambda task: Report(not_kept=(task.order.label,)))
    assert (found.finished, len(found.not_kept)) == (0, 2)
    assert "freertos/default O2 mps2-an386" in found.not_kept[0]
    assert conducted(plan, store).finished == 6


def test_a_query_sees_each_observation_once(store: SharedStore, tmp_path: Path) -> None:
    plan = simulation.plan(4)
    found = conducted(plan, store)
    parts = found.collected.parts
    query = "SELECT count(*), count(DISTINCT key), min(compiler) FROM records"
    assert results.ask(query, parts, store)[1] == [(24, 24, "default")]
    results.save(parts, store, tmp_path / "all.parquet")
    assert (tmp_path / "all.parquet").stat().st_size > 0
    with pytest.raises(UsageError, match="nothing"):
        results.ask("SELECT nothing FROM records", parts, store)


def test_finished_parts_are_not_written_again(
    store: SharedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "PART", 4)
    parts = conducted(simulation.plan(2), store).collected.parts
    assert len(parts) == 3
    monkeypatch.setattr(results, "_write", None)
    assert conducted(simulation.plan(2), store).collected.parts == parts


def test_a_damaged_observation_is_left_out_of_the_results(store: SharedStore) -> None:
    plan = simulation.plan(1)
    conducted(plan, store)
    for file in Path(store.place, "results").iterdir():
        file.unlink()
    next(Path(store.place, "observations").rglob("*.json")).write_text("{}")
    found = conducted(plan, store)
    assert (found.collected.cases, found.collected.damaged) == (5, 1)
    assert conducted(plan, store).collected == replace(conducted(plan, store).collected, damaged=0)
    assert conducted(plan, store).finished == 6


def bouncing(task: Task) -> Report:
    """Observes as a worker does, but the second scenario of rt is faster than that of FreeRTOS at
    some placements and slower at others."""
    added, shared = 0, worker.shared(task.store)
    for place, key in task.order.keys.items():
        (kernel,), layout = task.order.choice.kernels, task.order.layout
        cycles = {"freertos": 300.0, "rt": 200.0}[kernel]
        if place == 1 and kernel == "rt":
            cycles = 400.0 if layout % 2 else 200.0
        one = synthetic.record(kernel, f"scenario-{place}", cycles=cycles, load=0.0)
        one = replace(one, layout=layout, measurement=key)
        added += shared.add(key, worker.content(key, CaseOutcome((one,), synthetic.LANES)))
    return Report(added)


def test_undecided_verdicts_get_more_placements(store: SharedStore) -> None:
    plan = simulation.plan(2, RefineTable(reference="freertos/default", layouts=6))
    found = conducted(plan, store, bouncing)
    assert (found.cases, found.finished) == (2 * 3 * 2 + 2 * 4, 20)
    whole = document.document("simulated", store.place, found)
    assert fits("campaign-state", json.loads(view.dumps(whole)))["finished"] == 20
    (line,) = whole.undecided
    assert (line.kernel, line.scenario) == ("rt", "scenario-1")
    assert (line.faster, line.slower, line.undecided) == (18, 18, 0)
    assert conducted(plan, store, bouncing).observed == 0


def test_a_difference_below_the_resolution_gets_none(store: SharedStore) -> None:
    """Every pair of placements is undecided: the corners of the model disagree."""
    plan = simulation.plan(2, RefineTable(reference="freertos/default", layouts=6))

    def close(task: Task) -> Report:
        (kernel,), added = task.order.choice.kernels, 0
        for place, key in task.order.keys.items():
            load = {"freertos": 40.0, "rt": 0.0}[kernel]
            one = synthetic.record(kernel, f"scenario-{place}", cycles=300.0 - load / 2, load=load)
            one = replace(one, layout=task.order.layout, measurement=key)
            added += store.add(key, worker.content(key, CaseOutcome((one,), synthetic.LANES)))
        return Report(added)

    found = conducted(plan, store, close)
    assert (found.cases, len(found.undecided)) == (12, 3)
    assert dict(found.undecided[0].pairs) == {Verdict.UNDECIDED: 4}


def test_decided_verdicts_get_none(store: SharedStore) -> None:
    plan = simulation.plan(1, RefineTable(reference="freertos/default", layouts=6))
    assert conducted(plan, store, bouncing).cases == 6


# --- A worker -------------------------------------------------------------------------------------


def test_a_worker_of_another_observer_does_nothing(store: SharedStore) -> None:
    plan = simulation.plan(1)
    (order, *_), means = plan.orders(), orders.means(plan.campaign)
    ours = {**identity.of_this_machine(means), "observer of mps2-an386": "another"}
    report = worker.carry_out(Task(order, means, ours, store.place))
    assert (report.observed, report.refused) == (0, "observer of mps2-an386")
    assert store.finished() == set()


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ([], "CAMPAIGN.toml"),
        (["--scheduler-here", "8786"], "HOST:PORT"),
        (["missing.toml"], "missing.toml"),
    ],
)
def test_wrong_use_is_named(words: list[str], what: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["campaign", *words]) == 2
    assert what in capfd.readouterr().err


def test_other_commands_need_no_package_of_campaigns() -> None:
    program = """
import sys
for name in ("dask", "distributed", "obstore"):
    sys.modules[name] = None
from ticklab import cli
from ticklab.commands import run
from ticklab.documents import schemas
from ticklab.measurement import campaign
cli.parsers()
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=paths.CHECKOUT / "lab" / "src")
