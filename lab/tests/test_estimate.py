# SPDX-License-Identifier: MIT
"""Tests `estimate`: the analysis with examples of the literature, the description of an
application, and the output."""

from __future__ import annotations

import io
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from documents import fits
from rich.console import Console

from ticklab import paths
from ticklab.description import application
from ticklab.description.application import Application
from ticklab.errors import UsageError
from ticklab.estimate import bounds, candidates, costs, demand, estimate, fit, random_sets
from ticklab.estimate.bounds import Curve, Job, Load, System
from ticklab.estimate.candidates import Candidate, Memory
from ticklab.estimate.costs import Cost, Overheads, Unit
from ticklab.estimate.demand import Conditions
from ticklab.views import estimated
from ticklab.views import json as json_view

EXAMPLE = paths.CHECKOUT / "docs" / "examples" / "drive" / "app.toml"
NOTHING = Overheads(0, 0, 0, 0, 0, 0, 0, 0, dict.fromkeys(application.USED, 0))


def job(name: str, priority: int, period: int, work: int, **more: Any) -> Job:
    return Job(name, priority, Load(Curve(period), work), more.pop("deadline", period), **more)


def bounds_of(*jobs: Job, above: tuple[Load, ...] = ()) -> list[int | None]:
    return [each.bound for each in bounds.responses(System(jobs, above))]


# --- The analysis, by examples that were calculated by hand ---------------------------------------


def test_three_tasks_of_burns_and_wellings() -> None:
    """The example of response time analysis of Burns and Wellings, "Real-Time Systems and
    Programming Languages": three tasks with periods 7, 12, 20 and execution times 3, 3, 5. The
    iteration for the third task is 5, 11, 14, 17, 20, 20."""
    assert bounds_of(job("a", 1, 7, 3), job("b", 2, 12, 3), job("c", 3, 20, 5)) == [3, 6, 20]


def test_a_later_job_of_the_busy_window_may_be_the_latest() -> None:
    """An example of Lehoczky, "Fixed Priority Scheduling of Periodic Task Sets with Arbitrary
    Deadlines", 1990: two tasks with execution times 26 and 62 and periods 70 and 100. The response
    times of the second task's jobs are 114, 102, 116, 104, 118, 106 and 94."""
    assert bounds_of(job("a", 1, 70, 26), job("b", 2, 100, 62, deadline=200)) == [26, 118]


def test_a_job_is_blocked_once_by_each_lower_job_and_mutex() -> None:
    """The bound of Sha, Rajkumar and Lehoczky (1990). The lower jobs hold a mutex of `high` for 4
    and 6 units, or 4 and 5, in one section for each mutex."""
    high = job("high", 1, 100, 10, sections={"m": 1, "n": 1})
    middle = job("middle", 2, 100, 10, sections={"m": 4})
    low = job("low", 3, 100, 10, sections={"m": 6, "n": 5})
    system = System((high, middle, low))
    # The sum by jobs: 4 of `middle` and 6 of `low`. The sum by mutexes: 6 of `m` and 5 of `n`. The
    # bound is the smaller sum.
    assert [bounds.blocking(system, each) for each in system.jobs] == [10, 6, 0]
    assert [each.bound for each in bounds.responses(system)] == [20, 26, 30]


def test_a_mutex_of_lower_jobs_alone_blocks_no_higher_job() -> None:
    lower = (job("b", 2, 100, 10, sections={"m": 3}), job("c", 3, 100, 10, sections={"m": 5}))
    assert bounds_of(job("a", 1, 100, 10), *lower) == [10, 25, 30]


def test_a_call_of_the_kernel_by_a_lower_job_delays_once() -> None:
    assert bounds_of(job("a", 1, 100, 10), job("b", 2, 100, 10, longest_call=4)) == [14, 20]


def test_work_after_the_completion_delays_others_alone() -> None:
    assert bounds_of(job("a", 1, 100, 10, after=3), job("b", 2, 100, 10)) == [7, 20]


def test_work_above_all_jobs() -> None:
    """A job of 8 units and a tick of 1 unit every 5: the iteration of the bound is 8, 10, 10."""
    assert bounds_of(job("a", 1, 100, 8), above=(Load(Curve(5), 1),)) == [10]


@pytest.mark.parametrize(("jitter", "bound"), [(0, 5), (5, 5), (6, 8)])
def test_jitter_brings_the_next_arrival_nearer(jitter: int, bound: int) -> None:
    """The bound R is the least solution of R = 2 + ceil((R + jitter) / 10) · 3."""
    assert bounds_of(job("a", 1, 100, 2), above=(Load(Curve(10, jitter), 3),)) == [bound]


@pytest.mark.parametrize(("separation", "bound"), [(0, 11), (3, 11), (4, 8), (6, 5)])
def test_a_burst(separation: int, bound: int) -> None:
    """A job of 2 units, and a load above it with a burst of three arrivals of 3 units. With one
    arrival the job ends after 5 units: before the second, if they are at least 5 apart. With two it
    ends after 8: before the third, if this comes 8 units or more after the first."""
    above = (Load(Curve(100, burst=3, separation=separation), 3),)
    assert bounds_of(job("a", 1, 100, 2), above=above) == [bound]


def test_two_equal_jobs_delay_each_other() -> None:
    assert bounds_of(job("a", 1, 100, 10), job("b", 1, 100, 10)) == [20, 20]


def test_an_overload_has_no_bound_below_it() -> None:
    assert bounds_of(job("a", 1, 10, 5), job("b", 2, 10, 6)) == [5, None]


# --- From the description to the analysed jobs ----------------------------------------------------


def app(**more: Any) -> Application:
    return replace(application.read(EXAMPLE), **more)


def test_costs_are_charged_where_they_arise() -> None:
    """The costs of a job are its work, its uses of services, its locks and its completion. The work
    above all jobs is the tick, and a release for each job."""
    charged = Overheads(7, 11, 13, 17, 19, 23, 29, 31, {"semaphore": 1, "queue": 2, "flags": 3})
    system = demand.system(app(), charged, Conditions(1_000_000))
    jobs = {each.name: each for each in system.jobs}
    assert [load.work for load in system.above] == [7, 11, 17, 11, 11, 11, 11]
    assert jobs["current-loop"].load.work == 120 + 13
    assert jobs["encoder"].load.work == 60 + 2 + 19
    assert jobs["speed-loop"].load.work == 700 + 2 * 1 + 29 + 13  # its owner may be below it
    assert jobs["logger"].load.work == 6000 + 8 * 2 + 23 + 13
    assert jobs["logger"].sections == {"flash": 400 + 23}
    assert jobs["logger"].longest_call == 31


def test_work_is_rounded_up_and_time_down() -> None:
    jobs = demand.system(app(), NOTHING, Conditions(1_234_567)).jobs
    assert (jobs[0].load.work, jobs[0].load.curve.period, jobs[0].deadline) == (149, 1234, 493)


def overheads_of(one: int = 150, many: int = 180, **late: int) -> Overheads:
    """Returns the costs of periodic tasks; `late` are the costs of tasks that begin late."""
    figures = {
        "tick": 100, "release-1": one, "release-8": many, "completion": 10, "overhead-1": 400,
        "overhead-8": 100 + 8 * 300, **{name.replace("_", "-"): late[name] for name in late},
    }  # fmt: skip
    measured = {
        name: Cost(name, name, {Unit.HIGH: value}, "modelled") for name, value in figures.items()
    }
    tasks = tuple(task for task in app().tasks if not task.interrupt)
    plain = app(tasks=tuple(replace(task, uses={}, sections=()) for task in tasks))
    return costs.overheads(plain, measured, Unit.HIGH)


def test_a_release_costs_as_much_as_the_dearest_of_one_and_many() -> None:
    few = overheads_of(150, 180)
    assert (few.release, few.completion) == (50, 250)
    many = overheads_of(150, 900)
    assert (many.release, many.completion) == (100, 200)


@pytest.mark.parametrize(
    ("late", "last", "release"),
    [
        ((9000, 9000), (9000, 9000), 50),  # nothing of a release is left for later
        ((9070, 9000), (9000, 9000), 70),  # a release of one task takes 70 from a higher task
        ((9000, 9648), (9000, 9000), 81),  # a release of eight takes 648 from it
        ((9000, 9000), (9310, 9000), 60),  # the one task begins 310 later, a completion is 250
        ((9000, 9000), (9000, 9000 + 8 * 340), 90),  # eight begin 2720 later
    ],
)
def test_a_release_also_costs_what_it_takes_while_a_higher_task_runs(
    late: tuple[int, int], last: tuple[int, int], release: int
) -> None:
    found = overheads_of(
        late_1=late[0], late_8=late[1], last_1=last[0], last_8=last[1], calm_1=9000, calm_8=9000
    )
    assert (found.release, found.completion) == (release, 250)


def test_limits_are_those_of_the_analysis() -> None:
    at = Conditions(64_000_000)
    scale = fit.breakdown_scale(app(), NOTHING, at)
    assert scale
    assert bounds.all_fit(demand.system(app(), NOTHING, replace(at, scale=scale)))
    assert not bounds.all_fit(demand.system(app(), NOTHING, replace(at, scale=1.001 * scale)))
    clock = fit.least_clock_hz(app(), NOTHING, at)
    assert clock == pytest.approx(64_000_000 / scale, rel=0.001)


def test_no_clock_makes_an_impossible_deadline_fit() -> None:
    slow = replace(NOTHING, tick=10**9)
    at = Conditions(64_000_000)
    assert fit.breakdown_scale(app(), slow, at) is None
    assert fit.least_clock_hz(app(), slow, at) is None


def test_kernels_for_which_the_analysis_does_not_hold() -> None:
    first, second, *rest = app().tasks
    equal = app(tasks=(first, replace(second, priority=first.priority), *rest))
    assert candidates.not_analysed(app(), {"time_slicing": True}) is None
    assert "priority of its own" in (candidates.not_analysed(equal, {"time_slicing": True}) or "")
    assert candidates.not_analysed(equal, {"time_slicing": False}) is None
    fifo = {"mutex.order": "fifo"}
    assert "order of arrival" in (candidates.not_analysed(app(), fifo) or "")
    assert candidates.not_analysed(app(tasks=(first,)), fifo) is None


# --- Mistakes in a description --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("stack_bytes = 1024", "stack_byte = 1024", "did you mean stack_bytes"),
        ("period_us = 5000", "period_us = 5500", "is no multiple of the tick's 1000 µs"),
        ('releases = "encoder"', 'releases = "encodr"', "did you mean encoder"),
        ("deadline_us = 1000", "period_us = 1000", "period_us cannot be combined with interrupt"),
        ('name = "logger"', 'name = "fieldbus"', "has 'fieldbus' twice"),
        ("execution_us = 6000", "execution_us = 300", "holds mutexes for 400 µs"),
        ("uses = { queue = 1 }", "uses = { quue = 1 }", "did you mean queue"),
        ("period_us = 2000", "period_us = 2000\nburst = 3\nseparation_us = 1000", "separation_us"),
        ("period_us = 2000", "period_us = 2000\nburst = 2\njitter_us = 1", "jitter_us"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, old: str, new: str, named: str) -> None:
    text = EXAMPLE.read_text()
    assert old in text
    file = tmp_path / "app.toml"
    file.write_text(text.replace(old, new))
    with pytest.raises(UsageError) as error:
        application.read(file)
    assert named in str(error.value)


# --- The estimate and its view --------------------------------------------------------------------


def candidate(kernel: str, factor: int = 1) -> Candidate:
    wanted = costs.queries(app())
    units = {Unit.INSTRUCTIONS: 50 * factor, Unit.LOW: 80 * factor, Unit.HIGH: 100 * factor}
    found = {name: Cost(name, str(query), units, "modelled") for name, query in wanted.items()}
    return Candidate(kernel, "default", found, memory=Memory(6000, 900, 3584))


def estimated_at(*candidates: Candidate, clock_hz: int = 64_000_000) -> estimate.Estimate:
    return estimate.make(app(), Conditions(clock_hz, 64_000_000 / clock_hz), candidates)


def shown(found: estimate.Estimate) -> str:
    out = io.StringIO()
    estimated.show(found, Console(file=out, width=80))
    return out.getvalue()


def test_the_first_screen_has_the_verdict_first() -> None:
    names = ("freertos", "rt", "bulkhead", "my-own-kernel")
    text = shown(estimated_at(*map(candidate, names)))
    assert text.startswith("drive fits under freertos/default, rt/default")
    assert len(text.splitlines()) <= 25
    assert max(map(len, text.splitlines())) <= 80
    for task in app().tasks:
        assert task.name in text


def with_costs(one: Candidate, **units: tuple[int, int]) -> Candidate:
    """Returns the candidate (a kernel with its costs) in which `units` replace bounds of costs."""
    changed = {
        name: replace(
            one.costs[name], units={**one.costs[name].units, Unit.LOW: low, Unit.HIGH: high}
        )
        for name, (low, high) in units.items()
    }
    return replace(one, costs={**one.costs, **changed})


@pytest.mark.parametrize(
    ("job", "tick", "disagrees"),
    [((20, 79), (2000, 2100), True), ((20, 81), (2000, 2100), False), ((20, 79), (80, 90), False)],
)
def test_the_application_may_disagree_with_a_micro_benchmark(
    job: tuple[int, int], tick: tuple[int, int], disagrees: bool
) -> None:
    """For the kernel `cheap`, the cost of one job is certainly lower, and that of the tick
    higher."""
    cheap = with_costs(candidate("cheap"), **{"overhead-1": job, "tick": tick})
    found = estimated_at(candidate("a"), cheap)
    said = estimated.document(found).disagreement
    assert (said is not None) is disagrees
    if said:
        assert said in " ".join(shown(found).split())
        assert "under cheap/default (~20–79 cycles) than under a/default (~80–100)" in said


def test_a_late_task_is_named_with_the_way_out() -> None:
    found = estimated_at(candidate("a"), clock_hz=40_000_000)
    assert found.kernels[0].verdict is estimate.Verdict.MISSES
    text = estimated.sentence(found)
    assert "does not fit under a/default at 40 MHz: logger, under a/default, " in text
    assert "it fits with a clock of" in text


def test_costs_between_their_bounds_decide_nothing() -> None:
    dear = replace(NOTHING, tick=10**9)
    undecided = estimate.KernelEstimate(
        candidate("a"),
        estimate.analyse(app(), NOTHING, Conditions(64_000_000)),
        estimate.analyse(app(), dear, Conditions(64_000_000)),
        estimate.Limits(None, None),
    )
    assert undecided.verdict is estimate.Verdict.UNDECIDED
    found = estimate.Estimate(app(), 64_000_000, (undecided,))
    assert "is undecided under a/default" in shown(found)
    assert not found.some_fit


def test_a_kernel_without_a_figure_is_told_apart() -> None:
    lacking = Candidate("rt", "default", {}, "no figure of services/tick tick: rt has no delay")
    found = estimated_at(candidate("a"), lacking)
    assert found.kernels[1].verdict is estimate.Verdict.UNKNOWN
    assert "rt/default: no figure of services/tick tick: rt has no delay" in shown(found)


def test_the_json_fits_its_schema() -> None:
    lacking = Candidate("rt", "default", {}, "no figure")
    text = json_view.dumps(estimated.document(estimated_at(candidate("a"), lacking)))
    document = json.loads(text)
    fits("estimate", document)
    document["kernels"][0]["unknown"] = 1
    with pytest.raises(AssertionError):
        fits("estimate", document)


# --- Random applications --------------------------------------------------------------------------


def test_a_random_set_depends_on_its_seed_alone() -> None:
    assert random_sets.make(7) == random_sets.make(7)
    assert random_sets.make(7) != random_sets.make(8)


def test_shares_of_a_random_set_add_up() -> None:
    shares = random_sets.uunifast(random.Random(1), 6, 0.7)
    assert sum(shares) == pytest.approx(0.7)
    assert min(shares) > 0


def test_random_sets_contain_every_kind_of_delay() -> None:
    sets = [random_sets.make(seed) for seed in range(40)]
    assert {name for one in sets for name in one.uses} == set(application.USED)
    assert any(one.mutexes for one in sets)
    assert any(one.released_by_tick < len(one.tasks) for one in sets)
    assert all(set(costs.queries(one)) <= EVERY_COST for one in sets if one.released_by_tick)


EVERY_COST = set(costs.queries(random_sets.every_service(())))
