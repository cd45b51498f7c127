# SPDX-License-Identifier: MIT
"""Tests the descriptions (kernel.toml, board.toml …): every one in the checkout reads, and each
rule refuses a bad file by name."""

import re
from pathlib import Path

import pytest

from ticklab.description import catalogue, fields, toml_file
from ticklab.description.architecture import cores
from ticklab.description.model import PartSources
from ticklab.documents import defaults
from ticklab.errors import UsageError

KERNEL = """\
[kernel]
name = "mine"
title = "Mine"
version = "1.0"
services = ["yield", "queue"]
sources = ["port.c", "@/tasks.c"]
includes = ["@/include"]
source = { crate = "mine-sys", version = "1.0.0", folder = "src" }
defines = { CORES = 1, TRACE = false }
[arch.armv7-m]
includes = ["armv7-m"]
[core.cortex-m3]
sources = ["@/m3.c"]
[config.default]
header = "config.h"
reason = "fast"
[features]
checks = false
isolation = "memory only"
[[fact]]
name = "licence"
value = "MIT"
source = "LICENSE"
date = 2026-01-31
"""

BOARD = """\
[board]
name = "mine"
title = "Mine"
core = "cortex-m3"
clock_hz = 25_000_000
tick_hz = 100
vectors = 0
profile = "zero-wait"
memory = { code = [0, 4096], data = [536870912, 4096] }
[target.qemu]
machine = "mps2-an385"
"""

SUITE = """\
[suite]
name = "mine"
title = "Mine"
source = "a book"
[[scenario]]
name = "turns"
file = "turns.c"
services = ["yield"]
plan = { warm_up = 5, samples = 20, ticks = 3 }
threads = ["turn.0", "turn.1"]
expect = { order = ["turn.0", "turn.1"], external = 1 }
"""
SPANS = """\
span.iteration.each = ["turn.0", "turn.1"]
span.yield = { from = "before", to = "after" }
"""
SUITE += SPANS

SOURCE = next(line for line in KERNEL.splitlines() if line.startswith("source ="))
PARTS = KERNEL[KERNEL.index("[arch.") : KERNEL.index("[config")]
TARGET = BOARD[BOARD.index("[target") :]

# (text to replace, its replacement, what the error must say)
BAD_KERNELS = [
    ('title = "Mine"', "", r"\[kernel\] title is missing; give it a text"),
    ('title = "Mine"', 'titel = "Mine"', r"\[kernel\] title is missing"),
    ('version = "1.0"', "version = 1", r"version is 1; it must be a text"),
    ('version = "1.0"', 'version = " "', r"version is empty"),
    ('"mine"', '"Mine!"', r"name is 'Mine!'; use lower-case"),
    ("[features]", "[feature]", r"\[feature\] is no key; did you mean features"),
    ('"yield", "queue"', '"yeild"', r"services names 'yeild'; did you mean yield"),
    ('["port.c"', '["prot.c"', r"sources names .*prot.c, which is no file"),
    ("services =", 'port = "prt.c"\nservices =', r"port is 'prt.c'; name one of 'sources'"),
    ('["port.c", "@/tasks.c"]', "[1]", r"sources holds 1; it must be a list of texts"),
    ("source = {", "sauce = {", r"\[kernel\] sauce is no key; did you mean source"),
    (SOURCE, "", r"\[kernel\] source is missing; .* stands for the folder that it names"),
    ("sources =", 'cpus = ["m3"]\nsources =', r"cpus has another name now; write \[arch.NAME\]"),
    ("reason =", "lacks = []\nreason =", r"lacks has another name now; write without_services"),
    ("title =", "extends = 1\ntitle =", r"\[kernel\] extends 1, which is no text"),
    (
        "services =",
        'protection = "task"\nservices =',
        r"protection is 'task'; it may be none or kernel or tasks",
    ),
    ("[features]", "[[features]]", r"\[features\] is \[.*; it must be a table"),
    ("[[fact]]", "[fact]", r"\[fact\] is .*; it must be an array of tables"),
    ("[[fact]]", "[[fact]]\n[[fact]]", r"\[fact 1\] name is missing; give it a text"),
    ("folder =", "floder =", r"\[kernel.source\] floder is no key; did you mean folder"),
    ("config.default", "config.usual", r"\[config.default\] is missing"),
    ('"config.h"', '"other.h"', r"header names .*other.h, which is no file"),
    ("services =", 'ranked = ["best"]\nservices =', r"ranked names 'best'; there is: default"),
    (
        "services =",
        'interface = "posix"\nservices =',
        r"interface is 'posix'; it may be bench or thread-metric",
    ),
    (
        "checks = false",
        "checks = 1",
        r"\[features\] checks is 1; it must be true or false",
    ),
    ("checks = false", "cheks = false", r"\[features\] cheks is no feature; did you mean checks"),
    ("checks = false", "asserts = false", r"asserts is no feature; there is: accounting, checks"),
    ("checks = false", 'checks = "no"', r"checks is 'no'; write true or false, without quotes"),
    ("checks = false", 'accounting = "yes"', r"accounting is 'yes'; it must be true or false"),
    ("checks = false", 'checks = " "', r"checks is empty"),
    ("2026-01-31", '"last year"', r"date is 'last year'; write YYYY-MM-DD"),
    ("CORES = 1", "CORES = [1]", r"\[kernel.defines\] CORES is \[1\]; it must be a text, a number"),
    ("[features]", "[features", r"kernel.toml: .*TOML"),
    ("[arch.armv7-m]", "[arch.armv7m]", r"arch.armv7m.* is unknown; did you mean armv7-m"),
    ("[core.cortex-m3]", "[core.cortex-m34f]", r"core.cortex-m34f.* is unknown; did you mean"),
    ('["@/m3.c"]', '["m3.c"]', r"\[core.cortex-m3\] sources names .*m3.c, which is no file"),
    ('includes = ["armv7-m"]', "include = []", r"\[arch.armv7-m\] include is no key; did you"),
    (PARTS, "", r"\[arch\] is missing; name where the kernel runs: \[arch.NAME\] or \[core.NAME\]"),
]

BAD_BOARDS = [
    ("clock_hz = 25_000_000", "clock_hz = 0", r"clock_hz is 0; it must be 1 or more"),
    ("clock_hz = 25_000_000", "clock_hz = true", r"clock_hz is True; it must be a whole number"),
    ("code = [0, 4096]", "code = [0]", r"\[board.memory\] code is \[0\]; it must be a list of 2"),
    ("data =", "date =", r"\[board.memory\] data is missing"),
    ("vectors = 0", "vektors = 0", r"\[board\] vektors is no key; did you mean vectors"),
    ("vectors = 0", "", r"\[board\] vectors is missing; give it a whole number"),
    ("core =", "# core =", r"\[board\] core is missing; give it a text"),
    ("vectors = 0", 'vectors = 0\nproof = "virt"', r"proof has .* now; write conformance_board"),
    ("vectors = 0", "vectors = 0\nleds = 4", r"\[board\] leds is no key"),
    ('"cortex-m3"', '"cortex-m33x"', r"\[board\] core names 'cortex-m33x'; did you mean"),
    ("vectors = 0", 'vectors = 0\nother_cores = ["m4"]', r"other_cores names 'm4'; "),
    ("target.qemu", "target.qmeu", r"\[target.qmeu\] is unknown; did you mean qemu"),
    ("machine =", "mashine =", r"\[target.qemu\] machine is missing"),
    ("machine =", "nodes = 1\nmachine =", r"\[target.qemu\] nodes is no key"),
    (TARGET, "", r"\[target\] has 0 tables; write one: \[target.qemu\] or \[target.rtl\]"),
    (TARGET, TARGET + "[target.rtl]\nnodes = 1\n", r"\[target\] has 2 tables; write one"),
    (
        "vectors = 0",
        'vectors = 0\nconformance_board = "vrit"',
        r"conformance_board names 'vrit'; did",
    ),
    (
        "vectors = 0",
        'vectors = 0\nsame_images_as = "ibx"',
        r"same_images_as names 'ibx'; did you mean",
    ),
]

BAD_SUITES = [
    ("samples = 20", "samples = 0", r"samples is 0; it must be 1 or more"),
    ('file = "turns.c"', 'file = "turn.c"', r"file names .*turn.c, which is no file"),
    (', to = "after"', "", r"\[scenario 1.span.yield\] to is missing"),
    ('from = "before"', 'each = ["x"]', "exclude each other"),
    ('"turn.0", "turn.1"]\nexpect', '"turn 0"]\nexpect', r"threads names mark 'turn 0'"),
    ('"before"', '"entry.extern"', r"from names mark 'entry.extern'; did you mean external"),
    ("external = 1", "internal = 1", r"internal is no key; did you mean external"),
    (SPANS, "", r"span is missing"),
    ("threads =", "params.2 = 1\nthreads =", r"params"),
    ("external = 1", 'external = "some"', r"external is 'some'; it must be a number, or .any"),
    ("external = 1", "external = -1", r"external is -1; it must be a number, or .any"),
    ('services = ["yield"]', 'services = "yield"', r"services is 'yield'; it must be a list of"),
    (
        "[[scenario]]",
        '[[loss]]\nname = "x"\nof = "turns"\n[[scenario]]',
        r"\[loss 1\] less is miss",
    ),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "a folder"
    place.mkdir()
    for name in ("port.c", "config.h", "turns.c"):
        (place / name).touch()
    return place


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def test_kernel_is_read(folder: Path) -> None:
    (folder / "kernel.toml").write_text(KERNEL)
    kernel = catalogue.find_kernel(str(folder))
    assert kernel.source is not None
    assert kernel.source.crate == "mine-sys"
    assert kernel.defines == {"CORES": "1", "TRACE": "false"}
    assert kernel.by_core == {"cortex-m3": PartSources(sources=("@/m3.c",))}
    assert kernel.parts(cores()["cortex-m4"]) == (PartSources(includes=("armv7-m",)), PartSources())
    assert kernel.cores == {"cortex-m3"}
    assert kernel.ranked == ("default",)
    assert kernel.facts[0].date == "2026-01-31"


def test_a_kernel_of_an_architecture_runs_on_all_its_cores(folder: Path) -> None:
    (folder / "kernel.toml").write_text(changed(KERNEL, PARTS, "[arch.armv7-m]\n[core.ibex]\n"))
    found = catalogue.find_kernel(str(folder)).cores
    assert found == {name for name, core in cores().items() if core.arch.name == "armv7-m"} | {
        "ibex"
    }


def test_references_between_boards_are_resolved() -> None:
    ibex, virt = catalogue.find_board("ibex"), catalogue.find_board("virt")
    assert ibex.conformance_board is not None
    assert ibex.conformance_board.name == "virt"
    for board in (virt, ibex.conformance_board):
        assert board.same_images_as is not None
        assert board.same_images_as.name == "ibex"
        assert (board.core, board.memory) == (ibex.core, ibex.memory)


def test_a_timing_profile_needs_a_cycle_model(folder: Path) -> None:
    (folder / "board.toml").write_text(changed(BOARD, '"cortex-m3"', '"cortex-m7f"'))
    refused(
        lambda: catalogue.find_board(str(folder)), "profile is for a cycle model, and cortex-m7f"
    )


def test_a_description_that_is_read_again_is_as_the_file_has_it(tmp_path: Path) -> None:
    """Whatever a caller did to the entries that it got."""
    file = tmp_path / "kernel.toml"
    file.write_text(KERNEL)
    first = toml_file.load(file)
    first["kernel"]["services"].append("other")
    assert "other" not in toml_file.load(file)["kernel"]["services"]
    file.write_text(file.read_text().replace('"yield"', '"other"'))
    assert "other" in toml_file.load(file)["kernel"]["services"]


def test_suite_is_read(folder: Path) -> None:
    (folder / "suite.toml").write_text(SUITE)
    (scenario,) = catalogue.find_suite(str(folder)).scenarios
    assert [span.name for span in scenario.spans] == ["iteration", "yield"]
    assert (scenario.spans[1].start, scenario.spans[1].end) == ("before", "after")
    assert scenario.expect.external == 1
    assert scenario.entries == ()


@pytest.mark.parametrize(
    ("words", "external", "faults"),
    [("external = 1", 1, 0), ('external = "any"', None, 0), ('faults = "any"', 0, None)],
)
def test_as_many_exceptions_as_come_may_be_expected(
    folder: Path, words: str, external: int | None, faults: int | None
) -> None:
    (folder / "suite.toml").write_text(changed(SUITE, "external = 1", words))
    (scenario,) = catalogue.find_suite(str(folder)).scenarios
    assert (scenario.expect.external, scenario.expect.faults) == (external, faults)


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        ('"before"', '"entry.external"', ("external",)),
        ('"after"', '"entry.pendsv"', ("pendsv",)),
        ('["turn.0", "turn.1"]\nspan.yield', '["entry.systick"]\nspan.yield', ("systick",)),
        ('order = ["turn.0"', 'order = ["entry.faults", "entry.svcall"', ("svcall", "faults")),
    ],
)
def test_entries_of_exceptions_are_marks(
    folder: Path, old: str, new: str, kinds: tuple[str, ...]
) -> None:
    (folder / "suite.toml").write_text(changed(SUITE, old, new))
    (scenario,) = catalogue.find_suite(str(folder)).scenarios
    assert scenario.entries == kinds


@pytest.mark.parametrize(("old", "new", "message"), BAD_KERNELS)
def test_bad_kernel_is_refused(folder: Path, old: str, new: str, message: str) -> None:
    (folder / "kernel.toml").write_text(changed(KERNEL, old, new))
    refused(lambda: catalogue.find_kernel(str(folder)), message)


@pytest.mark.parametrize(("old", "new", "message"), BAD_BOARDS)
def test_bad_board_is_refused(folder: Path, old: str, new: str, message: str) -> None:
    (folder / "board.toml").write_text(changed(BOARD, old, new))
    refused(lambda: catalogue.find_board(str(folder)), message)


@pytest.mark.parametrize(("old", "new", "message"), BAD_SUITES)
def test_bad_suite_is_refused(folder: Path, old: str, new: str, message: str) -> None:
    (folder / "suite.toml").write_text(changed(SUITE, old, new))
    refused(lambda: catalogue.find_suite(str(folder)), message)


EACH = """\
[each]
plan = { warm_up = 1, samples = 2 }
expect = { external = "any" }
span.turn = { each = ["turn.0"] }
"""
HEAD, ROW = SUITE[: SUITE.index("[[scenario]]")], SUITE[SUITE.index("[[scenario]]") :]
BARE = '[[scenario]]\nname = "bare"\nfile = "turns.c"\nservices = []\n'


def test_each_scenario_has_a_common_key_that_it_does_not_have_itself(folder: Path) -> None:
    (folder / "suite.toml").write_text(HEAD + EACH + ROW + BARE)
    own, bare = catalogue.find_suite(str(folder)).scenarios
    assert (own.plan.samples, own.expect.external) == (20, 1)
    assert [span.name for span in own.spans] == ["iteration", "yield"]
    assert (bare.plan.samples, bare.expect.external) == (2, None)
    assert [span.name for span in bare.spans] == ["turn"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("samples = 2 }", "sample = 2 }", r"\[each.plan\] sample"),
        ("[each]", "[each]\nservices = []", r"\[each\] services"),
        ("plan = { warm_up = 1, samples = 2 }\n", "", r"\[scenario 2\] plan is missing"),
        ("[each]", "[[each]]", r"\[each\] "),
    ],
)
def test_a_bad_common_key_is_refused(folder: Path, old: str, new: str, message: str) -> None:
    (folder / "suite.toml").write_text(changed(HEAD + EACH + ROW + BARE, old, new))
    refused(lambda: catalogue.find_suite(str(folder)), message)


def test_scenario_name_is_unique(folder: Path) -> None:
    scenario = SUITE[SUITE.index("[[scenario]]") :]
    (folder / "suite.toml").write_text(SUITE + scenario)
    refused(lambda: catalogue.find_suite(str(folder)), "scenario.* has 'turns' twice")


def refused(action: object, message: str) -> None:
    """One line, that says `message`."""
    assert callable(action)
    with pytest.raises(UsageError, match=message) as caught:
        action()
    assert "\n" not in str(caught.value)


def test_unknown_names_get_suggestions() -> None:
    refused(lambda: catalogue.find_board("mps2-an368"), "no board 'mps2-an368'; did you mean mps2")
    refused(lambda: catalogue.find_kernel("/"), "folder / has no kernel.toml")
    refused(lambda: catalogue.find_profile("nowhere.toml"), "nowhere.toml: No such file")


def test_own_configuration_stands_in(folder: Path) -> None:
    (folder / "kernel.toml").write_text(KERNEL)
    kernel = catalogue.find_kernel(str(folder))
    own = folder / "own.h"
    refused(lambda: catalogue.find_config(kernel, str(own)), "no configuration file .*own.h")
    own.touch()
    assert catalogue.find_config(kernel, str(own)).header == own
    assert catalogue.find_config(kernel, "default").header == folder / "config.h"
    refused(lambda: catalogue.find_config(kernel, "defualt"), "did you mean default")


def test_everything_in_the_checkout_reads() -> None:
    assert "mps2-an386" in catalogue.boards()
    for name, kernel in catalogue.kernels().items():
        assert kernel.name == name
    for name, suite in catalogue.suites().items():
        assert suite.name == name


def test_a_scenario_without_a_service_says_that_it_does_not_exercise_the_kernel() -> None:
    every = [each for suite in catalogue.suites().values() for each in suite.scenarios]
    assert [e.name for e in every if not (e.services or e.program)] == [
        e.name for e in every if not e.exercises_kernel
    ]


def test_services_are_those_of_the_contract() -> None:
    """The contract names services in comments and headings of port.h: one in a comment, one in a
    heading, one that is named after another, and their number."""
    assert {"yield", "queue", "mutex-inheritance", "suspend-self"} < fields.SERVICES
    assert len(fields.SERVICES) == 37


def test_every_service_of_the_contract_has_a_default() -> None:
    assert defaults.FILE.read_text() == defaults.text(), "run 'ticklab docs generate'"
    declared = set(re.findall(r"\b(bench_\w+)\(", re.sub("//.*", "", fields.CONTRACT.read_text())))
    assert declared - set(re.findall(r"\b(bench_\w+)\(", defaults.text())) == {
        "bench_port_start", "bench_task_self", "bench_finish"
    }  # fmt: skip


def test_a_profile_for_a_core_without_a_model_is_refused_in_one_line() -> None:
    board = catalogue.find_board("mps2-an500")
    assert catalogue.timing(board, None) is None
    with pytest.raises(UsageError, match="core cortex-m7f of board mps2-an500 has no cycle model"):
        catalogue.timing(board, "zero-wait")
