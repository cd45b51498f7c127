# SPDX-License-Identifier: MIT
"""Tests suite rt-tests: programs that run under a kernel that boots, and the figures that they
report."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from logs import Writer
from rich.console import Console
from synthetic import record, run
from test_linux import boots, toolchain

from ticklab import building
from ticklab.analysis import program_results
from ticklab.bootstrap import tables
from ticklab.building import beside, plan
from ticklab.description import catalogue
from ticklab.description.model import (
    Case,
    End,
    Image,
    Record,
    Reported,
    Run,
    Sampled,
    SamplePlan,
    Status,
)
from ticklab.description.suite import read_suite
from ticklab.documents import baseline
from ticklab.errors import TicklabError, UsageError
from ticklab.measurement import cases, observation
from ticklab.measurement.cases import CaseChoice
from ticklab.measurement.support import unsupported_reason
from ticklab.storage import records
from ticklab.targets import of as target_of
from ticklab.targets.fake import Fake
from ticklab.targets.protocol import Cancel, Ending, Observation
from ticklab.views import csv, html, table
from ticklab.views import json as view

SUITE = catalogue.suites()["rt-tests"]
PROGRAMS = ("cyclictest", "pmqtest", "ptsematest", "svsematest", "signaltest", "sigwaittest")


def chosen(board: str, kernel: str, *scenarios: str) -> list[Case]:
    choice = CaseChoice(
        boards=[board], suites=["rt-tests"], optimise="O2", kernels=[kernel], scenarios=scenarios
    )
    return cases.expand(choice)


# --- The output of the programs -------------------------------------------------------------------

OF_TWO_THREADS = {
    "thread": {
        "0": {
            "sender": {"samples": 400, "interval": 500},
            "receiver": {"min": 5, "avg": 5.76, "max": 9},
        }
    }
}
OF_ONE = {"thread": {"0": {"cycles": 3, "min": 14, "max": 17, "avg": 15.0}, "1": {}}}
IN_NS = {
    "resolution_in_ns": 1,
    "thread": {
        "0": {
            "histogram": {"4400": 1, "4128": 2},
            "cycles": 3, "min": 4128, "max": 4400, "avg": 4218.67,
        }
    },
}  # fmt: skip


def printed(document: object) -> str:
    return f"\nticklab: results\n{json.dumps(document, indent=2)}\n\nticklab: finished\n"


def test_microseconds_and_nanoseconds_become_virtual_nanoseconds() -> None:
    assert program_results.read(printed(OF_TWO_THREADS)) == Reported(400, 5000, 5760, 9000, 1000)
    assert program_results.read(printed(OF_ONE)) == Reported(3, 14_000, 15_000, 17_000, 1000)
    found = program_results.read(printed(IN_NS))
    assert found == Reported(3, 4128, 4218.67, 4400, 1, ((4128, 2), (4400, 1)))


@pytest.mark.parametrize(
    "console",
    [
        "", "\nticklab: results\n", printed([]), printed({"thread": {}}), printed({"thread": 3}),
        printed(OF_TWO_THREADS)[:60], printed({"thread": {"0": {"cycles": "x"}}}),
        printed({"thread": {"0": {"cycles": 1, "min": None, "avg": 1, "max": 1}}}),
    ],
)  # fmt: skip
def test_other_results_are_refused_in_one_line(console: str) -> None:
    with pytest.raises(TicklabError, match=r"rt-tests 2\.4") as said:
        program_results.read(console)
    assert len(str(said.value).splitlines()) == 1


def run_of(one: Record) -> Run:
    return replace(run(), records=(one,))


def reporting() -> Record:
    reported = program_results.read(printed(IN_NS))
    one = record()
    assert isinstance(one.result, Sampled)
    return replace(
        one, suite="rt-tests", scenario="cyclictest", span="sleep",
        result=replace(one.result, reported=reported),
    )  # fmt: skip


def test_what_a_program_reports_is_stored_and_shown_as_no_time_of_a_board() -> None:
    one = reporting()
    assert records.decode(records.encode(one)) == one
    assert view.record_object(one)["reported"]["histogram"] == ((4128, 2), (4400, 1))
    assert view.record_object(record())["reported"] is None
    whole = run_of(one)
    assert ",4128,4218.67,4400," in csv.dumps(whole)
    out = Console(file=io.StringIO(), width=120)
    table.show(whole, out)
    assert isinstance(out.file, io.StringIO)
    text = out.file.getvalue()
    assert all(word in text for word in ("virtual", "no time of a board", "4,128", "4,400"))


def test_the_report_has_the_histogram_of_a_program() -> None:
    page = html.render([run_of(replace(reporting(), measurement=None))], NoSamples())
    assert "the program reports 4,128–4,400, mean 4,218.7 virtual ns" in " ".join(page.split())
    assert "virtual ns (1 an instruction); 0 are longer" in page


class NoSamples:
    def samples(self, key: str, span: str, columns: object = ()) -> dict[str, object]:
        raise TicklabError("no samples were kept")


def test_documents_can_ask_for_what_a_program_reports() -> None:
    document = view.document(run_of(reporting()))
    found = baseline.of_run(document)
    name = "freertos/default O2 mps2-an386 rt-tests/cyclictest reported"
    assert (found[name].mean, found[name].longest) == (4218.67, 4400)


# --- Descriptions ---------------------------------------------------------------------------------


def test_programs_are_fetched_for_a_board_of_a_kernel_that_boots_only() -> None:
    def needs(board: str, *suites: str) -> bool:
        return "programs-rt-tests" in tables.needs([board], ["linux", "rt"], suites)

    assert needs("virt-linux", "rt-tests")
    assert needs("virt-linux", "all")
    assert not needs("virt-linux", "services")
    assert not needs("virt-linux")
    assert not needs("mps2-an386", "rt-tests", "all")


def test_each_program_runs_alone_and_beside_a_load() -> None:
    assert tuple(each.name for each in SUITE.scenarios) == PROGRAMS
    for each in SUITE.scenarios:
        assert each.values == {"load": ("none", "memory")}
        assert each.program
        assert each.program.file.path.name == each.name
        assert "--json=/results" in each.program.arguments
        assert {each.spans[0].start, each.spans[0].end} == set(each.program.marks)


def test_a_board_without_a_system_runs_no_programs() -> None:
    for case in chosen("mps2-an386", "freertos"):
        assert unsupported_reason(case) == (
            "not for this board: mps2-an386 runs no programs of a system"
        )
    assert unsupported_reason(chosen("virt-linux", "linux")[0]) is None


def test_a_program_that_no_package_has_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("")
    text = (SUITE.folder / "suite.toml").read_text().replace('"run_program.c"', '"x.c"')
    (tmp_path / "suite.toml").write_text(text.replace('file = "usr/bin/pmqtest"', 'file = "pmq"'))
    with pytest.raises(UsageError, match=r"scenario 2.*'pmq'") as said:
        read_suite(tmp_path)
    assert len(str(said.value).splitlines()) == 1


# --- Images and plans -----------------------------------------------------------------------------


def test_an_image_contains_the_program_and_what_it_loads() -> None:
    (case, *_) = chosen("virt-linux", "linux", "pmqtest")
    (made,) = plan.plans([case], toolchain())
    (files,) = (edge for edge in made.edges if edge.output.endswith("files.S.o"))
    assert case.scenario.program
    assert files.depends == beside.files(case.scenario.program)
    assert '-DPROGRAM="pmqtest"' in files.flags
    scenario = next(edge for edge in made.edges if edge.output.endswith("run_program.c.o"))
    assert any('"--quiet", "--loops=400"' in flag for flag in scenario.flags)


def test_an_image_of_a_program_that_was_not_fetched_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (case, *_) = chosen("virt-linux", "linux", "pmqtest")
    found = toolchain()
    monkeypatch.setattr("ticklab.description.boot.paths.home", lambda: tmp_path)
    (image,) = building.build([case], found)
    assert isinstance(image, TicklabError)
    assert "libnuma.so.1.0.0 is missing" in str(image)


def test_words_of_a_command_line_are_strings_of_c() -> None:
    (case, *_) = chosen("virt-linux", "linux", "pmqtest")
    assert case.scenario.program
    program = replace(case.scenario.program, arguments=('a "b"\\',))
    case = replace(case, scenario=replace(case.scenario, program=program))
    assert '-DPROGRAM_ARGUMENTS="a \\"b\\"\\\\"' in beside.of_scenario(case)


def pmqtest() -> tuple[Case, Image]:
    """Returns a case, and the image of another case with the same port."""
    (case, *_) = chosen("virt-linux", "linux", "pmqtest")
    other = CaseChoice(
        boards=["virt-linux"], suites=["thread-metric"], optimise="O2", kernels=["linux"],
        scenarios=["synchronization"],
    )  # fmt: skip
    (image,) = building.build(cases.expand(other), toolchain())
    assert isinstance(image, Image)
    return case, image


def test_the_program_ends_the_observation() -> None:
    found = observation.plan_of(*pmqtest(), None)
    assert (found.until_marks, found.passes) == (None, 0)
    assert {mark.name: mark.address for mark in found.marks} == {
        "sent": 0x40_227E, "received": 0x40_23CA,
    }  # fmt: skip


def test_a_program_that_does_not_end_is_a_failure_with_its_end() -> None:
    case, image = pmqtest()
    one_sample = SamplePlan(warm_up=0, samples=1, ticks=0)
    case = replace(case, scenario=replace(case.scenario, plan=one_sample))
    writer = Writer(["sent", "received"])
    for _ in range(3):
        writer.mark("sent", 100).mark("received", 5000)
    ended = Observation(Ending(End.INSTRUCTIONS, "", ""), writer.log("instructions"))
    target = Fake(lambda _image, _plan: ended)
    (found,) = observation.take(case, image, None, target, Cancel()).records
    assert (found.status, found.figures.reported) == (Status.FAIL, None)
    assert "budget" in (found.reason or "")


# --- Under a kernel -------------------------------------------------------------------------------


def _are_fetched() -> bool:
    program = SUITE.scenarios[0].program
    return program is not None and all(file.exists() for file in beside.files(program))


fetched = pytest.mark.skipif(not _are_fetched(), reason="no packages of rt-tests")


def measured(case: Case) -> Record:
    (image,) = building.build([case], toolchain())
    assert isinstance(image, Image), image
    board = case.variant.board
    (found,) = observation.take(case, image, None, target_of(board, 1), Cancel()).records
    assert found.status is Status.PASS, found.reason
    return found


@boots
@fetched
@pytest.mark.parametrize("kernel", ["linux", "linux-rt"])
def test_a_program_reports_what_the_observer_counts(kernel: str) -> None:
    """A program measures from one read of the clock to the next; the span lies between the reads,
    and a read takes less than 600 instructions."""
    (case, *_) = chosen("virt-linux", kernel, "pmqtest")
    found = measured(case)
    assert measured(case) == found
    assert found.figures.reported
    assert found.figures.instructions
    more = found.figures.reported.mean - found.figures.instructions.mean
    assert 0 < more < 600
