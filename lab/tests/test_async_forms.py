# SPDX-License-Identifier: MIT
"""Tests the async forms of scenarios (bench/include/bench/port.rs): an async form has the marks and
the checks of the C form. Under a kernel that runs both, the two forms pass the same marks in the
same order, and a kernel that does not do the work fails.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import short_runs

from ticklab import building, cli, paths
from ticklab.bootstrap import rust, tables
from ticklab.bootstrap.step import Log
from ticklab.description import catalogue
from ticklab.description.model import Case, Image, Scenario, Status, Variant
from ticklab.errors import TicklabError
from ticklab.explain.second_run import FirstRun
from ticklab.measurement import cases, observation, provenance, support
from ticklab.targets import eventlog
from ticklab.targets.protocol import Cancel
from ticklab.targets.qemu import Qemu

BOARD = "mps2-an386"
# Checks that only the C form has, because they concern results that an async call does not return:
# an `.await` ends only when it has the object, and a task that is woken or suspended cannot refuse.
# The last check concerns a parameter that async forms do not have.
OF_RESULTS = {
    "a receive without timeout failed", "a take without timeout failed",
    "mutex: a lock without timeout failed", "mutex: the owner could not unlock",
    "queue: a message is missing", "queue: refused below capacity",
    "resume reported an error", "resume: failed for a suspended task",
    "semaphore: a semaphore at 1 could not be taken", "semaphore: a take without timeout failed",
    "suspend reported an error", "suspend: a task could not suspend itself",
    "a task's floating-point register changed",
}  # fmt: skip


def every() -> list[Scenario]:
    suites = catalogue.suites().values()
    measured = [scenario for suite in suites for scenario in suite.scenarios]
    return [each for each in (*measured, *cases.conformance()) if each.async_form]


def text_of(file: Path) -> str:
    """Returns the C form with the headers of its folder and of those beside it."""
    text = file.read_text()
    included = (file.parent / name for name in re.findall(r'#include "(.*)"', text))
    return text + "".join(map(text_of, included))


def marks_in_c(text: str) -> set[str]:
    named = re.findall(r'BENCH_MARK\("([^"]*)"( #\w+)?\)', text)
    return {name + ("*" if number else "") for name, number in named}


def marks_in_rust(text: str) -> set[str]:
    plain = set(re.findall(r'mark!\("([^"]*)"\)', text))
    numbered = re.findall(r'mark!\(concat!\("([^"]*)", \$number\)\)', text)
    return plain | {f"{name}*" for name in numbered}


def reasons_in_c(text: str) -> set[str]:
    without_macros = re.sub(r"^#(.*\\\n)*.*", "", text, flags=re.MULTILINE)
    calls = re.findall(r"(?:REQUIRE\w*|bench_fail)\((.*?)\);", without_macros, flags=re.DOTALL)
    return {found[-1] for call in calls if (found := re.findall(r'"([^"]*)"', call))}


def reasons_in_rust(text: str) -> set[str]:
    return set(re.findall(r'c"([^"]*)"', text))


def named(scenario: Scenario) -> str:
    return f"{scenario.suite}/{scenario.name}"


def forms() -> list[object]:
    files = {each.file: each for each in every()}
    return [pytest.param(file, each.async_form, id=named(each)) for file, each in files.items()]


@pytest.mark.parametrize(("in_c", "in_rust"), forms())
def test_both_forms_have_the_same_marks_and_checks(in_c: Path, in_rust: Path) -> None:
    c, rust_text = text_of(in_c), in_rust.read_text()
    assert marks_in_rust(rust_text) == marks_in_c(c)
    assert reasons_in_rust(rust_text) <= reasons_in_c(c)
    assert reasons_in_c(c) - reasons_in_rust(rust_text) <= OF_RESULTS


def test_an_async_form_without_a_check_or_a_mark_is_found() -> None:
    scenario = next(each for each in every() if each.name == "interrupt-preemption")
    assert scenario.async_form
    c, text = text_of(scenario.file), scenario.async_form.read_text()
    without = text.replace(c_reason := "a suspended thread ran before it was resumed", "")
    assert c_reason in reasons_in_c(c) - reasons_in_rust(without) - OF_RESULTS
    assert marks_in_rust(text.replace("iteration.low", "iteration.other")) != marks_in_c(c)


def case_of(kernel: str, scenario: Scenario, config: str = "default") -> Case:
    found, board = catalogue.find_kernel(kernel), catalogue.find_board(BOARD)
    return Case(Variant(found, found.configs[config], board, "O2", board.clock_hz), scenario)


def test_what_async_tasks_cannot_run_is_unsupported_with_the_reason() -> None:
    suite = {each.name: each for each in catalogue.find_suite("services").scenarios}
    able = case_of("embassy", suite["semaphore-signal-unblock"])
    assert support.unsupported_reason(able) is None
    crowded = replace(suite["semaphore-signal-unblock"], params={"waiters": "10", "ready": "0"})
    assert "no async form" in str(support.unsupported_reason(replace(able, scenario=crowded)))
    for name in ("semaphore-signal-lower", "queue-receive-unblock", "delay-jitter"):
        assert support.unsupported_reason(replace(able, scenario=suite[name]))
    assert "rustc inlines" in str(support.unsupported_reason(able.varied(optimise="O2+called")))
    order = case_of("embassy", suite["cooperative-switch"])
    assert support.unsupported_reason(order) == "embassy/default is without yield"
    assert support.unsupported_reason(case_of("freertos", suite["cooperative-switch"])) is None


def test_a_kernel_with_one_priority_runs_the_forms_with_one() -> None:
    suite = {each.name: each for each in catalogue.find_suite("thread-metric").scenarios}
    for name, needed in (("interrupt-preemption", 2), ("preemptive-scheduling", 5)):
        case = case_of("embassy", suite[name])
        few = case.varied(kernel=replace(case.variant.kernel, priorities=1))
        assert f"1 priority for tasks, not {needed}" in str(support.unsupported_reason(few))
        assert support.unsupported_reason(case) is None
    case = case_of("embassy", suite["cooperative-scheduling"], "priority")
    few = case.varied(kernel=replace(case.variant.kernel, priorities=1))
    assert support.unsupported_reason(few) is None


def test_own_interrupts_of_a_kernel_are_no_disturbance_and_the_scenarios_are_required() -> None:
    suite = {each.name: each for each in catalogue.find_suite("thread-metric").scenarios}
    own = case_of("embassy", suite["interrupt-preemption"]).expect
    assert (own.external, own.least_external) == (None, 1)
    none = case_of("embassy", suite["preemptive-scheduling"]).expect
    assert (none.external, none.least_external) == (None, 0)
    other = case_of("freertos", suite["interrupt-preemption"]).expect
    assert (other.external, other.least_external) == (1, 0)


def test_footprint_refuses_a_kernel_that_is_one_object_with_the_scenario(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["footprint", "embassy"]) == 1
    said = capsys.readouterr().err
    assert "embassy: rustc compiles kernel and scenario into one object" in said
    assert "name a kernel whose tasks are threads" in said


def test_views_say_what_the_tasks_of_the_kernel_are() -> None:
    suite = {each.name: each for each in catalogue.find_suite("thread-metric").scenarios}
    found = provenance._subject(case_of("embassy", suite["synchronization"]))
    assert "no preemption within an executor" in str(found["tasks"])
    assert "tasks" not in provenance._subject(case_of("freertos", suite["synchronization"]))


# --- With cargo, which needs minutes --------------------------------------------------------------


@pytest.fixture(scope="module")
def crates(tmp_path_factory: pytest.TempPathFactory) -> None:
    log = Log(tmp_path_factory.mktemp("log") / "targets.log")
    try:
        rust.provide_targets(log, rust.provide(log), tables.rust_targets("embassy"))
    except TicklabError as error:
        pytest.skip(str(error))


PASSES = 60


@pytest.mark.long
@pytest.mark.usefixtures("crates")
@pytest.mark.parametrize(
    ("kernel", "config", "least"), [("embassy", "priority", 15), ("lilos", "default", 6)]
)
def test_both_forms_pass_the_same_marks_in_the_same_order(
    tmp_path: Path, kernel: str, config: str, least: int
) -> None:
    forms = [case_of(kernel, each, config) for each in every() if each.spans]
    able = [case for case in forms if support.unsupported_reason(case) is None]
    measured = [case.scenario for case in able]
    pairs = [(case_of("freertos", case.scenario), case) for case in able]

    def first_marks(case: Case, run: FirstRun) -> Iterator[list[str]]:
        log = eventlog.read(run.log)
        ids = log.records["id"][log.records["kind"] == eventlog.KIND_MARK]
        yield [log.marks[each] for each in ids[:PASSES].tolist()]

    found = short_runs.each_of([each for pair in pairs for each in pair], tmp_path, first_marks)
    assert len(pairs) >= least
    for number, scenario in enumerate(measured):
        (in_c,), (in_rust,) = found[2 * number], found[2 * number + 1]
        in_c = in_c[in_c.index(in_rust[0]) :]  # the kernel chooses which task starts
        both = min(len(in_c), len(in_rust))  # a run has a number of instructions
        assert both >= PASSES / 2, named(scenario)
        assert in_rust[:both] == in_c[:both], named(scenario)


# Faults in Embassy's port. Each replaces a text of kernels/embassy/src/kernel.rs; a scenario then
# fails and says why.
BROKEN = [
    ("pub use embassy_futures::yield_now;", "pub async fn yield_now() {}",
     "cooperative-scheduling", "yield without a switch"),
    ("self.0.try_acquire(1).map(|taken| taken.disarm()).is_some()", "true",
     "synchronization", "a semaphore at 0 was taken"),
    ("self.0.release(1);", "", "synchronization", "a semaphore at 1 could not be taken"),
    ("self.0.try_lock().ok()", "Some(unsafe { core::mem::transmute_copy(&self) })",
     "synchronization-mutex", "a second thread locked an owned mutex"),
    ("self.0.try_send(message).is_ok()", "self.0.try_send([7; WORDS]).is_ok()",
     "message-processing", "message word lost"),
    ("self.0.signal(())", "", "preemptive-scheduling", "did not run at once"),
    ("self.0.wait().await", "", "interrupt-preemption", "before it was resumed"),
    ("cortex_m::peripheral::NVIC::pend(INTERRUPT);", "",
     "interrupt-processing", "interrupt never taken"),
    ("embassy_time::Timer::after_ticks(ticks.into()).await", "let _ = ticks;",
     "synchronization-mutex", "did not run while the higher one slept"),
]  # fmt: skip


@pytest.mark.long
@pytest.mark.usefixtures("crates")
@pytest.mark.parametrize(("old", "new", "name", "says"), BROKEN)
def test_a_kernel_that_does_not_do_the_work_fails(
    tmp_path: Path, old: str, new: str, name: str, says: str
) -> None:
    folder = tmp_path / "embassy"
    shutil.copytree(paths.CHECKOUT / "kernels" / "embassy", folder)
    source = folder / "src" / "kernel.rs"
    assert old in source.read_text()
    source.write_text(source.read_text().replace(old, new))
    scenario = {each.name: each for each in catalogue.find_suite("thread-metric").scenarios}[name]
    case = case_of(str(folder), scenario, "priority")
    (image,) = building.build([case], building.find_toolchain())
    assert isinstance(image, Image), image
    records = observation.take(case, image, None, Qemu(paths.plugin()), Cancel()).records
    assert [each.status for each in records] == [Status.FAIL]
    assert says in str(records[0].reason)
