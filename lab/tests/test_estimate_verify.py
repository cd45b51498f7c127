# SPDX-License-Identifier: MIT
"""Tests applications that run: no response is above its bound, and the test notices if a part of
the bound is left out. Costs and responses are those of FreeRTOS."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from ticklab import cli
from ticklab.description import application, catalogue
from ticklab.description.application import Application
from ticklab.description.model import Image
from ticklab.estimate import bounds, candidates, costs, random_sets, trials, verify
from ticklab.estimate.bounds import System
from ticklab.estimate.candidates import Candidate
from ticklab.estimate.costs import Overheads, Unit
from ticklab.estimate.demand import Conditions
from ticklab.estimate.verify import Observed, Verification
from ticklab.measurement import environment
from ticklab.measurement.environment import Environment
from ticklab.measurement.progress import Lines
from ticklab.storage.store import Store

AT = Conditions(64_000_000)
APP = """
[app]
name = "{name}"
kernels = ["freertos"]
tick_hz = 1000
"""
TASK = """
[[task]]
name = "{}"
priority = {}
execution_us = {}
"""
# A lower task often holds the mutex when the higher one comes.
SHARED = (
    APP.format(name="shared")
    + TASK.format("high", 2, 50)
    + "period_us = 1000\n[[task.lock]]\nmutex = 'm'\nexecution_us = 5\n"
    + TASK.format("low", 8, 3000)
    + "period_us = 7000\n[[task.lock]]\nmutex = 'm'\nexecution_us = 900\n"
)
# Ticks and interrupts take much of the time of a long job.
LONG = (
    APP.format(name="long")
    + TASK.format("driver", 2, 5)
    + TASK.format("long", 8, 9000)
    + "period_us = 20_000\n"
    + '[[interrupt]]\nname = "line"\nreleases = "driver"\nperiod_us = 60\n'
)
TICKED = APP.format(name="ticked") + TASK.format("long", 8, 9000) + "period_us = 10_000\n"
# Bulkhead leaves a part of each release of a lower task for later, while the highest task runs.
DEFERRED = APP.format(name="deferred").replace("freertos", "bulkhead/process-each") + "".join(
    TASK.format(name, priority, micros) + "period_us = 20_000\n"
    for name, priority, micros in (("long", 2, 8500), ("b", 4, 500), ("c", 6, 500), ("d", 8, 500))
)


@dataclass(frozen=True)
class Ran:
    app: Application
    candidate: Candidate
    observed: Observed


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    board = catalogue.find_board("mps2-an386")
    profile = catalogue.find_profile(board.profile or "")
    store = Store(tmp_path_factory.mktemp("estimate") / "store")
    return environment.equip(
        store,
        {board.name: profile},
        1,
        Lines(sys.stderr),
        keeps_image=lambda _: False,
        skip_conformance=True,
    )


def read(folder: Path, text: str) -> Application:
    file = folder / "app.toml"
    file.write_text(text)
    return application.read(file)


@pytest.fixture(scope="module")
def ran(lab: Environment, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ran]:
    """Runs each application once."""
    found = {}
    for text in (SHARED, LONG, TICKED, DEFERRED):
        app = read(tmp_path_factory.mktemp("app"), text)
        candidate, *_ = candidates.measure(app, lab, Lines(sys.stderr))
        assert candidate.variant, candidate.missing
        built = verify.case(app, candidate.variant, AT)
        image = lab.build([built])[0]
        assert isinstance(image, Image), image
        observed = verify.observe(app, built, image, lab.target(built))
        found[app.name] = Ran(app, candidate, observed)
    return found


def overheads(one: Ran) -> Overheads:
    return costs.overheads(one.app, one.candidate.costs, Unit.INSTRUCTIONS)


def compared(one: Ran, system: System) -> Verification:
    return verify.compare(one.candidate.subject, one.observed, bounds.responses(system))


def bounded(one: Ran, charged: Overheads) -> System:
    return verify.with_harness(one.app, charged, AT, one.observed.injection)


def without_blocking(system: System) -> System:
    jobs = tuple(replace(job, sections={}, longest_call=0) for job in system.jobs)
    return replace(system, jobs=jobs)


@pytest.mark.parametrize("name", ["shared", "long", "ticked", "deferred"])
def test_no_response_is_above_its_bound(ran: dict[str, Ran], name: str) -> None:
    found = compared(ran[name], bounded(ran[name], overheads(ran[name])))
    assert not found.exceeded
    assert all(task.jobs >= 10 and task.tightness for task in found.tasks)
    assert max(task.tightness or 0 for task in found.tasks) > 0.9


def test_a_bound_without_blocking_is_found_out(ran: dict[str, Ran]) -> None:
    one = ran["shared"]
    found = compared(one, without_blocking(bounded(one, overheads(one))))
    assert [task.name for task in found.tasks if task.exceeded] == ["high"]


def test_a_bound_without_ticks_is_found_out(ran: dict[str, Ran]) -> None:
    one = ran["ticked"]
    assert compared(one, bounded(one, replace(overheads(one), tick=0))).exceeded


def test_a_bound_without_what_a_kernel_does_later_is_found_out(ran: dict[str, Ran]) -> None:
    one = ran["deferred"]
    late = [name for name in one.candidate.costs if name.startswith(("late", "last", "calm"))]
    kept = {name: cost for name, cost in one.candidate.costs.items() if name not in late}
    charged = costs.overheads(one.app, kept, Unit.INSTRUCTIONS)
    found = compared(one, without_blocking(bounded(one, charged)))
    assert "long" in {task.name for task in found.tasks if task.exceeded}


def test_a_bound_without_interrupts_is_found_out(ran: dict[str, Ran]) -> None:
    one = ran["long"]
    charged = overheads(one)
    for less in (replace(charged, interrupt=0), replace(charged, wait=0)):
        found = compared(one, bounded(one, less))
        assert [task.name for task in found.tasks if task.exceeded] == ["long"]


def test_a_bound_without_switches_is_found_out(ran: dict[str, Ran]) -> None:
    one = ran["shared"]
    charged = replace(overheads(one), release=0, completion=0)
    assert compared(one, without_blocking(bounded(one, charged))).exceeded


# --- Random applications --------------------------------------------------------------------------


def test_random_sets_hold_and_are_kept(lab: Environment) -> None:
    """The second command looks each application up in the store; it could not measure one."""
    app = random_sets.every_service(["freertos"])
    known = candidates.measure(app, lab, Lines(sys.stderr))
    seeds = (3, 4)
    found = trials.run(lab, known, seeds, Lines(sys.stderr))
    assert [trial.seed for trial in found] == list(seeds)
    assert not any(trial.exceeded for trial in found)
    assert min(task.tightness or 0 for trial in found for task in trial.tasks) > 0

    def refuse(*_: object) -> list[Image]:
        raise AssertionError("built again")

    again = trials.run(replace(lab, build=refuse), known, seeds, Lines(sys.stderr))
    assert again == found
    (summary,) = trials.summaries(again)
    assert (summary.sets, summary.exceeded) == (2, ())


def test_an_incomplete_trial_is_passed_over(tmp_path: Path) -> None:
    file, trial = tmp_path / "trials.jsonl", trials.Trial("key", 1, "a/default", ())
    trials.keep(file, trial)
    file.write_bytes(file.read_bytes()[:-5])
    trials.keep(file, replace(trial, seed=2))
    assert [each.seed for each in trials.kept(file)] == [2]


def test_a_kernel_without_costs_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("estimate", "--sets", "1", "--kernel", "null", "--skip-conformance")
    assert cli.main([*words, "--store", str(tmp_path / "store")]) == 1
    assert "null/default: no figure of services/tick tick" in capsys.readouterr().err


def test_an_application_or_sets_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["estimate"]) == 2
    assert "give APP.toml, or --sets N" in capsys.readouterr().err
