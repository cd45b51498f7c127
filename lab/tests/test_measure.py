# SPDX-License-Identifier: MIT
"""Tests the way from cases to records, with a target that runs no machine."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cells
import pytest
from logs import Writer

from ticklab.description.model import Case, End, Profile, Scenario, Status
from ticklab.errors import TicklabError, UncompilableError
from ticklab.measurement.campaign import CampaignResult, Outcome, measure
from ticklab.measurement.environment import Built, Environment
from ticklab.measurement.progress import Lines
from ticklab.storage.sealed import SchemaError
from ticklab.storage.store import Store
from ticklab.targets.fake import Fake
from ticklab.targets.protocol import Cancel, Ending, Observation, ObservationPlan

Answer = Callable[[Path, ObservationPlan], Observation]


@dataclass
class Quiet:
    lines: list[str] = field(default_factory=list)

    def begin(self, what: str, total: int) -> None:
        pass

    def done(self, label: str, looked_up: bool = False) -> None:
        self.lines.append(label)


def answer(image: Path, plan: ObservationPlan) -> Observation:
    return cells.finished() if "proof" in image.name else cells.switching(plan)


def run(
    root: Path,
    *cases: Case,
    target: Fake | None = None,
    build: Callable[[Sequence[Case]], Sequence[Built]] = cells.images,
    conformance: tuple[Scenario, ...] = (),
    progress: Quiet | Lines | None = None,
) -> CampaignResult:
    store = Store(root)
    store.open_for_writing()
    runs = target or Fake(answer)
    lab = Environment(build, lambda _: runs, store, lambda _: cells.PROFILE, 2, conformance)
    return measure(lab, cases, progress or Quiet(), Cancel())


def only(result: CampaignResult) -> Outcome:
    (outcome,) = result.outcomes
    return outcome


def test_a_case_becomes_a_record(tmp_path: Path) -> None:
    (record,) = run(tmp_path, cells.CASE).records
    assert (record.status, record.reason) == (Status.PASS, None)
    assert record.figures.instructions is not None
    assert (record.figures.instructions.mean, record.figures.instructions.n) == (10, 294)
    assert record.sampled.interrupted is not None
    assert record.sampled.interrupted.n == 2
    assert record.figures.exceptions == 1
    assert record.figures.cycles is not None
    assert (record.figures.cycles.low.mean, record.figures.cycles.high.mean) == (21, 23)
    assert record.sampled.per_thread is not None
    both = record.figures.instructions.n + record.sampled.interrupted.n
    assert sum(record.sampled.per_thread) == both
    assert record.sampled.deterministic is True
    assert record.sampled.score_30s is not None
    assert record.sampled.score_30s.high == pytest.approx(30 * (100_000 - 100 * 5) / 21, rel=1e-3)
    assert record.figures.lanes["refill"] == 1


def test_a_kernel_that_the_compiler_refuses_is_unsupported(tmp_path: Path) -> None:
    target = Fake(answer)
    found = run(
        tmp_path,
        cells.CASE,
        target=target,
        build=lambda cases: [UncompilableError("this compiler cannot compile it")] * len(cases),
        conformance=(cells.PROOF,),
    )
    (record,) = found.records
    assert (record.status, record.reason) == (Status.UNSUPPORTED, "this compiler cannot compile it")
    assert target.asked == []


def test_the_second_time_it_is_a_look_up_with_the_same_record(tmp_path: Path) -> None:
    target = Fake(answer)
    first = run(tmp_path, cells.CASE, target=target)
    second = run(tmp_path, cells.CASE, target=target)
    assert second.records == first.records
    assert second.lanes == first.lanes
    assert len(target.asked) == 1
    assert (second.timing.looked_up, second.timing.observed) == (1, 0)


@pytest.mark.parametrize("left", ["", '{"schema": 2}', None])
def test_a_damaged_measurement_is_set_aside_and_taken_again(
    tmp_path: Path, left: str | None
) -> None:
    first = run(tmp_path, cells.CASE)
    (manifest,) = tmp_path.glob("measurements/*/manifest.json")
    manifest.unlink() if left is None else manifest.write_text(left)
    second = run(tmp_path, cells.CASE)
    assert (second.records, second.timing.observed) == (first.records, 1)
    assert [str(manifest) in error.message for error in second.damaged] == [True]
    assert run(tmp_path, cells.CASE).timing.looked_up == 1
    (aside,) = tmp_path.glob("measurements/.damaged-*")
    assert (aside / "samples.parquet").is_file()


def test_a_measurement_of_a_newer_ticklab_ends_the_run_and_stays(tmp_path: Path) -> None:
    run(tmp_path, cells.CASE)
    (manifest,) = tmp_path.glob("measurements/*/manifest.json")
    newer = manifest.read_text().replace('"schema": 2', '"schema": 3')
    manifest.write_text(newer)
    with pytest.raises(SchemaError, match=r"has schema 3.* reads schema 2; .*--store DIR"):
        run(tmp_path, cells.CASE)
    assert manifest.read_text() == newer


def test_a_pipe_gets_a_line_for_what_was_observed_and_one_for_all_look_ups(tmp_path: Path) -> None:
    stream = io.StringIO()
    again = cells.case(replace(cells.SCENARIO, threads=()))
    run(tmp_path, cells.CASE, progress=Lines(stream))
    run(tmp_path, cells.CASE, again, progress=Lines(stream))
    lines = stream.getvalue().splitlines()
    assert len(lines) == 3
    assert lines[-1] == "measuring: found 1 of 2 in the store"


@pytest.mark.parametrize(
    "other",
    [
        cells.CASE.varied(clock_hz=200_000),
        cells.CASE.varied(optimise="Os"),
        cells.case(replace(cells.SCENARIO, plan=replace(cells.SCENARIO.plan, samples=30))),
        cells.case(replace(cells.SCENARIO, expect=replace(cells.SCENARIO.expect, order=()))),
        cells.case(replace(cells.SCENARIO, threads=())),
    ],
)
def test_what_determines_a_figure_is_in_its_key(tmp_path: Path, other: Case) -> None:
    target = Fake(answer)
    run(tmp_path, cells.CASE, target=target)
    assert run(tmp_path, other, target=target).timing.looked_up == 0


def test_too_few_samples_are_observed_again_for_longer(tmp_path: Path) -> None:
    target = Fake(answer)
    plan = replace(cells.SCENARIO.plan, samples=1000)
    (record,) = run(tmp_path, cells.case(replace(cells.SCENARIO, plan=plan)), target=target).records
    assert record.figures.instructions is not None
    assert record.figures.instructions.n >= 1000
    short, long = (plan.instructions for _, plan in target.asked)
    assert (short, long > 10_000) == (3000, True)


def test_a_long_start_takes_no_tick_away(tmp_path: Path) -> None:
    target = Fake(lambda _, plan: cells.switching(plan, start=1800))
    (record,) = run(tmp_path, cells.CASE, target=target).records
    assert record.sampled.interrupted is not None
    assert record.sampled.interrupted.n >= cells.SCENARIO.plan.ticks
    assert len(target.asked) == 2


def test_a_kernel_without_a_tick_is_not_waited_for(tmp_path: Path) -> None:
    target = Fake(lambda _, plan: cells.switching(plan, period=10**9))
    (record,) = run(tmp_path, cells.CASE, target=target).records
    assert record.sampled.interrupted is None
    assert len(target.asked) <= 2


def test_a_guest_that_never_begins_is_given_up(tmp_path: Path) -> None:
    def silent(_image: Path, plan: ObservationPlan) -> Observation:
        return Observation(Ending(End.INSTRUCTIONS, ""), Writer(cells.THREADS).log("instructions"))

    (record,) = run(tmp_path, cells.CASE, target=Fake(silent)).records
    assert record.status is Status.FAIL
    assert "instruction budget" in (record.reason or "")


def test_nothing_of_a_hang_is_stored(tmp_path: Path) -> None:
    def hang(_image: Path, plan: ObservationPlan) -> Observation:
        return replace(cells.switching(plan), ending=Ending(End.TIMED_OUT, ""))

    (record,) = run(tmp_path, cells.CASE, target=Fake(hang)).records
    assert (record.status, record.reason) == (Status.FAIL, "hang: the guest makes no progress")
    again = Fake(answer)
    (record,) = run(tmp_path, cells.CASE, target=again).records
    assert (record.status, len(again.asked)) == (Status.PASS, 1)


def test_what_a_kernel_lacks_is_neither_built_nor_run(tmp_path: Path) -> None:
    scenario = replace(cells.SCENARIO, services=frozenset({"yield", "queue"}))
    target = Fake(answer)
    (record,) = run(tmp_path, cells.case(scenario), target=target, build=_no_build).records
    assert (record.status, record.reason) == (Status.UNSUPPORTED, "kernel has no queue")
    assert not target.asked


def test_a_case_that_does_not_build_does_not_lose_the_others(tmp_path: Path) -> None:
    broken, whole = cells.case(kernel="broken"), cells.CASE

    def build(cases: Sequence[Case]) -> Sequence[Built]:
        return [
            TicklabError("port.c:3: no such thing") if case is broken else cells.image(case)
            for case in cases
        ]

    first, second = run(tmp_path, broken, whole, build=build).records
    assert (first.status, first.reason) == (Status.FAIL, "build: port.c:3: no such thing")
    assert second.status is Status.PASS


def test_nothing_is_published_before_conformance_passes(tmp_path: Path) -> None:
    def wrong(image: Path, plan: ObservationPlan) -> Observation:
        if "bad" in image.name and "proof" in image.name:
            return Observation(Ending(End.EXIT, "ticklab: fail: queue is no FIFO\n"), None)
        return answer(image, plan)

    target = Fake(wrong)
    cases = (cells.case(kernel="bad"), cells.case(kernel="good"))
    bad, good = run(tmp_path, *cases, target=target, conformance=(cells.PROOF,)).records
    assert bad.status is Status.BLOCKED
    assert bad.reason == "conformance: proof: queue is no FIFO"
    assert bad.figures.instructions is None
    assert good.status is Status.PASS
    assert sorted(image.name for image, _ in target.asked) == [
        *("bad-O2-proof", "good-O2-proof", "good-O2-switch")
    ]


def test_conformance_that_passed_is_not_tested_again_with_the_same_tools(tmp_path: Path) -> None:
    """A kernel that broke an obligation is tested again in each run, and its figures are blocked
    again."""

    def wrong(image: Path, plan: ObservationPlan) -> Observation:
        if image.name == "bad-O2-proof":
            return Observation(Ending(End.EXIT, "ticklab: fail: queue is no FIFO\n"), None)
        return answer(image, plan)

    target, store = Fake(wrong), Store(tmp_path)
    store.open_for_writing()
    proofs = (cells.PROOF,)
    lab = Environment(cells.images, lambda _: target, store, lambda _: cells.PROFILE, 1, proofs)
    cases = (cells.case(kernel="bad"), cells.case(kernel="good"))
    first, second = (measure(lab, cases, Quiet(), Cancel()) for _ in range(2))
    for each in (first, second):
        assert [record.status for record in each.records] == [Status.BLOCKED, Status.PASS]
    assert (first.timing.images, second.timing.images) == (4, 3)
    assert len(lab.proven) == 1


def always(profile: Profile) -> Callable[[Case], Profile]:
    return lambda _: profile


def test_conformance_is_observed_once_for_all_timings(tmp_path: Path) -> None:
    target, store = Fake(answer), Store(tmp_path)
    store.open_for_writing()
    for waits in (0, 4):
        timing = always(replace(cells.PROFILE, data={"wait_states": waits}))
        lab = Environment(cells.images, lambda _: target, store, timing, 1, (cells.PROOF,))
        measure(lab, [cells.CASE], Quiet(), Cancel())
    timed = [(image.name, plan.profile is not None) for image, plan in target.asked]
    assert timed == [("kernel-O2-proof", False), *[("kernel-O2-switch", True)] * 2]


def test_a_broken_obligation_is_a_doubt_about_what_only_states_it(tmp_path: Path) -> None:
    def wrong(image: Path, plan: ObservationPlan) -> Observation:
        if "proof" in image.name:
            return Observation(Ending(End.EXIT, "ticklab: fail: no inheritance\n"), None)
        return answer(image, plan)

    proof = replace(cells.PROOF, proves=frozenset({"mutex", "inheritance"}))
    features = {"inheritance": True}
    case = cells.CASE.varied(kernel=replace(cells.KERNEL, features=features))
    result = run(tmp_path, case, cells.CASE, target=Fake(wrong), conformance=(proof,))
    stating, other = result.records
    assert stating.status is Status.PASS
    assert stating.doubts["conformance"] == "proof: no inheritance"
    assert (other.status, other.doubts) == (Status.PASS, {})
    assert [str(breach) for breach in result.breaches] == ["proof: no inheritance"]


def test_a_scenario_needs_features_of_a_kernel(tmp_path: Path) -> None:
    needing = replace(
        cells.SCENARIO, services=frozenset({"queue"}), features={"queue.order": "priority"}
    )
    having = frozenset({"queue"})
    cases = [
        replace(
            cells.CASE.varied(
                kernel=replace(cells.KERNEL, services=having, features={"queue.order": order})
            ),
            scenario=needing,
        )
        for order in ("priority", "fifo")
    ]
    first, second = (run(tmp_path, case).records[0] for case in cases)
    assert first.status is Status.PASS
    assert (second.status, second.reason) == (
        Status.UNSUPPORTED,
        "kernel has queue.order fifo, not priority",
    )


def test_conformance_needs_only_the_services_that_a_kernel_has(tmp_path: Path) -> None:
    proof = replace(cells.PROOF, services=frozenset({"queue"}))
    (record,) = run(tmp_path, cells.CASE, conformance=(proof,)).records
    assert record.status is Status.PASS


def test_a_port_of_one_suites_own_interface_is_for_that_suite(tmp_path: Path) -> None:
    case = cells.CASE.varied(kernel=replace(cells.KERNEL, interface="suite"))
    other = replace(case, scenario=replace(cells.SCENARIO, suite="services"))
    first, second = run(tmp_path, case, other, conformance=(cells.PROOF,)).records
    assert first.status is Status.PASS
    assert (second.status, second.reason) == (Status.UNSUPPORTED, "kernel is a port of suite only")


def test_an_error_of_the_target_belongs_to_its_case(tmp_path: Path) -> None:
    def missing(image: Path, plan: ObservationPlan) -> Observation:
        raise TicklabError("image is truncated", "build it again")

    (record,) = run(tmp_path, cells.CASE, target=Fake(missing)).records
    assert record.reason == "image is truncated; build it again"


def test_a_failed_case_shows_no_figure(tmp_path: Path) -> None:
    scenario = replace(cells.SCENARIO, expect=replace(cells.SCENARIO.expect, external=1))
    (record,) = run(tmp_path, cells.case(scenario)).records
    assert record.status is Status.FAIL
    assert record.figures.instructions is None
    assert record.sampled.score_30s is None


def test_a_full_disk_loses_no_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise TicklabError("cannot write to the store: No space left on device")

    monkeypatch.setattr(Store, "add", full)
    result = run(tmp_path, cells.CASE)
    assert [record.status for record in result.records] == [Status.PASS]
    assert result.not_stored is not None


def test_an_interrupt_ends_the_observations_and_keeps_the_finished(tmp_path: Path) -> None:
    class Interrupted(Quiet):
        def done(self, label: str, looked_up: bool = False) -> None:
            raise KeyboardInterrupt

    target = Fake(answer)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, cells.CASE, target=target, progress=Interrupted())
    assert run(tmp_path, cells.CASE, target=target).timing.looked_up == 1


def _no_build(cases: Sequence[Case]) -> Sequence[Built]:
    assert not cases
    return []
