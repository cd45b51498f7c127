# SPDX-License-Identifier: MIT
"""Tests figures that may not be ranked: each reason is found, shown beside the figure, and refused
by `compare`. Each kernel here has the description of an honest kernel, and an image that differs
from this description.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cells
import pytest
from documents import fits
from logs import Writer
from synthetic import LANES, record, run, with_figures

from ticklab import building, paths
from ticklab import cli as command_line
from ticklab.analysis import ticks
from ticklab.building import assertions, flags
from ticklab.comparison import compare, doubts, placement
from ticklab.description import catalogue
from ticklab.description.features import FEATURES
from ticklab.description.model import Case, Image, Record, Variant
from ticklab.measurement import cases

SCENARIO = "cooperative-scheduling"
FREERTOS = paths.CHECKOUT / "kernels" / "freertos"


# --- Signs of assertions in an image --------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "is_sign"),
    [
        ("configASSERT(x)", "if (!(x)) { for (;;) {} }", True),
        ("configASSERT(x)", "", False),
        ("configASSERT(x)", "((void)0)", False),
        ("configASSERT(x)", "(void)(x);", False),
        ("configASSERT(x)", "do { } while (0)", False),
        ("RT_ASSERT(c, m)", "((c) ? (void)0 : fail(m))", True),
        ("CONFIG_ASSERT", "1", True),
        ("CONFIG_ASSERT", "0", False),
        ("USE_ASSERTIONS", "", True),
        ("DISABLE_ASSERTIONS", "1", False),
        ("STATIC_ASSERT(x)", "_Static_assert(x, #x)", False),
        ("configUSE_MUTEXES", "1", False),
    ],
)
def test_a_macro_that_asserts_is_a_sign(name: str, value: str, is_sign: bool) -> None:
    assert assertions._is_active(name, value) is is_sign


def test_flags_define_macros() -> None:
    assert assertions.defined(["-O2", "-DA", "-DB=2", "-DC="]) == {"A": "1", "B": "2", "C": ""}


# --- The tick rate that the log shows -------------------------------------------------------------


def seen(*steps: tuple[int, int]) -> float | None:
    """Returns the tick rate that a log shows. Each step is a number of instructions and of ticks.
    The clock is 100,000 Hz, the declared rate 100 ticks a second."""
    writer = Writer(["m"])
    for instructions, count in steps:
        writer.mark("m", instructions, systick=count)
    return ticks.rate_hz(writer.log(), 100_000, 1_000)


def test_the_rate_of_ticks_is_what_the_log_shows() -> None:
    calm = [(100, 0)] * 9
    assert seen(*[*calm, (100, 1)] * 4) == pytest.approx(100)
    assert seen(*[(100, 10)] * 40) == pytest.approx(10_000)
    assert seen(*calm, (100, 1)) is None, "too short to say anything"
    assert seen(*calm * 4) == 0
    assert seen(*calm * 3, (300, 1), (100, 0)) == pytest.approx(100_000 / 3_100)


# --- Figures with a doubt -------------------------------------------------------------------------


def doubted(
    case: Case, one: Record, assertions: Sequence[str] = (), unproven: str | None = None
) -> Any:
    return doubts.find(case, Image(Path("x"), "", {"assertions": assertions}), one, unproven)


def test_each_reason_to_doubt_has_its_kind() -> None:
    case, one = cells.CASE, record()
    assert doubted(case, one) == {}
    assert doubted(case, one, unproven="skipped") == {"conformance": "skipped"}
    assert "macro configASSERT" in doubted(case, one, ["macro configASSERT"])["checks"]
    checking = case.varied(config=replace(case.variant.config, features={"checks": True}))
    assert doubted(checking, one, ["macro configASSERT"]) == {}
    prebuilt = case.varied(kernel=replace(case.variant.kernel, libraries=("libk.a",)))
    assert doubted(prebuilt, one) == {"prebuilt": "libk.a, of unknown compiler and flags"}
    for hz, is_doubted in ((100, False), (110, False), (10_000, True), (10, True), (0, False)):
        found = doubted(case, with_figures(one, ticks_seen_hz=float(hz)))
        assert ("tick" in found) is is_doubted, hz
    timed = case.varied(kernel=replace(case.variant.kernel, services=frozenset({"delay"})))
    assert "tick" in doubted(timed, with_figures(one, ticks_seen_hz=0.0))


def test_both_sides_may_be_doubted_for_the_same_reason() -> None:
    one, other = (
        replace(record(name), doubts={"conformance": "skipped"}) for name in ("freertos", "rt")
    )
    (found,) = compare.differences(run(), one, run(), other)
    assert str(found) == "conformance: skipped"
    (found,) = compare.differences(run(), one, run(), record("rt"))
    assert str(found) == "conformance: skipped against passed"


def test_a_prebuilt_kernel_is_compared_with_itself_alone() -> None:
    mine = replace(record(), doubts={"prebuilt": "libk.a"})
    theirs = replace(record("rt"), doubts={"prebuilt": "libk.a"})
    assert compare.differences(run(), mine, run(), mine) == ()
    assert [each.name for each in compare.differences(run(), mine, run(), theirs)] == ["prebuilt"]


def test_there_is_no_verdict_on_what_is_doubted() -> None:
    one, other = record("freertos"), replace(record("rt", cycles=99), doubts={"tick": "another"})
    found = placement.compare_all((other,), (one,), LANES)
    assert found == compare.Comparison(None, None, None)
    assert placement.compare_all((other,), (one,), LANES, anyway=True) != found


def test_the_document_says_how_each_feature_is_proven() -> None:
    """docs/reference/contract.md has a row for each feature, and names the scenarios that prove
    it."""
    text = (paths.CHECKOUT / "docs" / "reference" / "contract.md").read_text()
    rows = dict(
        line.strip("| ").split(" | ", 1) for line in text.splitlines() if line.startswith("| `")
    )
    scenarios = [*cases.conformance(), *cases.features()]
    for name, feature in FEATURES.items():
        row = rows[f"`{name}`"]
        proofs = [
            each for each in scenarios if name in each.proves and each.suite != "thread-metric"
        ]
        assert feature.is_provable is bool(proofs or feature.in_image)
        assert all(f"`{scenario.name}`" in row for scenario in proofs), row
        assert ("declared, not proven" in row) is not feature.is_provable, row


# --- Real kernels ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    root: Path
    capsys: pytest.CaptureFixture[str]

    def ask(self, *words: str) -> tuple[int, str, str]:
        self.capsys.readouterr()
        status = command_line.main([*words, "--store", str(self.root / "store")])
        text = self.capsys.readouterr()
        return status, text.out, text.err

    def measure(self, *words: str) -> dict[str, dict[str, Any]]:
        """Measures each configuration, and returns its record as `--json` prints it."""
        options = ("--scenario", SCENARIO, "--samples", "50", "--output", str(self.report))
        status, out, err = self.ask("run", "--no-why", *words, *options, "--json", "-")
        assert status == 0, err
        return {each["config"]: each for each in json.loads(out)["records"]}

    @property
    def report(self) -> Path:
        return self.root / "report.html"


@pytest.fixture(scope="module")
def proven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The measurements of all tests, so that the conformance of each image is tested once."""
    return tmp_path_factory.mktemp("measurements")


@pytest.fixture
def place(
    tmp_path: Path,
    proven: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Place:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "measurements").symlink_to(proven)
    return Place(tmp_path, capsys)


def user_config(folder: Path, name: str, text: str) -> str:
    file = folder / f"{name}.h"
    file.write_text(f'#include "{FREERTOS}/config/default.h"\n{text}\n')
    return file.name


def refused(place: Place, said: str) -> None:
    """Requires that `compare`, `baseline` and `gate` refuse the figure, and that table, report and
    JSON show the reason."""
    status, out, err = place.ask("compare", "freertos/default", "freertos/mine.h")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert said in err
    assert "--anyway ranks" in err
    status, out, _ = place.ask("compare", "--anyway", "freertos/default", "freertos/mine.h")
    assert status == 0
    assert "ranked anyway" in out
    status, out, err = place.ask("baseline", "save", "main")
    assert status == 1
    assert said.partition(" against")[0] in err
    assert place.ask("baseline", "save", "main", "--anyway")[0] == 0
    status, out, err = place.ask("gate", "latest", "--baseline", "main")
    assert status == 1
    assert "--anyway" in err
    _, table, _ = place.ask("show")
    assert "?" in table
    assert " is not ranked: " in table
    assert "not ranked: " in place.report.read_text()


# The assertion that FreeRTOS's manual recommends: a loop, without a call and without a text.
LOOP = "#define configASSERT(x) if (!(x)) { for (;;) {} }"
FUNCTION = """#ifndef __ASSEMBLER__
void vAssertCalled(void);
__attribute__((weak, noinline)) void vAssertCalled(void) { __asm__ volatile(""); }
#define traceTASK_SWITCHED_IN() vAssertCalled()
#endif"""


def test_assertions_that_nobody_declared_are_found(place: Place) -> None:
    config = user_config(place.root, "mine", LOOP)
    words = ("--kernel", "freertos", "--config", "default", config, "--skip-conformance")
    found = place.measure(*words)
    assert set(found["default"]["doubts"]) == {"conformance"}
    assert "macro configASSERT(x)" in found["mine.h"]["doubts"]["checks"]
    refused(place, "checks: declared no, but the image has ")


def test_a_function_that_asserts_is_found(place: Place) -> None:
    config = user_config(place.root, "mine", FUNCTION)
    words = ("--kernel", "freertos", "--config", config, "--skip-conformance")
    assert "function vAssertCalled" in place.measure(*words)["mine.h"]["doubts"]["checks"]


def test_the_check_of_a_port_sees_assertions(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Builds only one conformance program, because its image already shows the assertions."""
    proofs = cases.conformance()[:1]
    monkeypatch.setattr(cases, "conformance", lambda: proofs)
    config = user_config(place.root, "mine", LOOP)
    answer = place.root / "answer.json"
    words = ("port", "check", "freertos", "--config", config, "--json", str(answer))
    status, out, _ = place.ask(*words)
    assert status == 1
    assert not fits("port-check", json.loads(answer.read_text()))["kept"]
    assert "otherwise    feature checks: no; found: yes" in out
    assert "not proven   feature accounting: no" in out


def test_a_tick_that_is_not_the_declared_one_is_found(place: Place) -> None:
    fast = "#undef configTICK_RATE_HZ\n#define configTICK_RATE_HZ 10000"
    config = user_config(place.root, "mine", fast)
    words = ("--kernel", "freertos", "--config", "default", "tick-1khz", config)
    found = place.measure(*words, "--skip-conformance")
    skipped = {"conformance": "skipped"}
    assert (found["default"]["doubts"], found["tick-1khz"]["doubts"]) == (skipped, skipped)
    tick = "declared 100 a second, but the log shows about 10,000"
    assert found["mine.h"]["doubts"] == {**skipped, "tick": tick}
    refused(
        place, "tick: declared 100 a second, but the log shows about 10,000 against as declared"
    )


def test_skipped_conformance_leaves_its_trace(place: Place) -> None:
    config = user_config(place.root, "mine", "")
    words = ("--kernel", "freertos", "--config", "default", config)
    found = place.measure(*words, "--skip-conformance")
    assert [each["doubts"] for each in found.values()] == [{"conformance": "skipped"}] * 2
    refused(place, "conformance: skipped")
    found = place.measure("--kernel", "freertos", "--config", "default")
    assert found["default"]["doubts"] == {}, "looked up, and proven now"


def test_a_prebuilt_kernel_is_not_ranked_and_has_no_footprint(place: Place) -> None:
    folder = prebuilt(place.root)
    options = ("--scenario", "basic-processing", "--samples", "20", "--output", str(place.report))
    status, out, _ = place.ask("run", "--kernel", "null", str(folder), *options, "--json", "-")
    assert status == 0
    answer = json.loads(out)
    assert [list(each["doubts"]) for each in answer["records"]] == [[], ["prebuilt"]]
    assert list(answer["provenance"]["footprints"]) == []
    status, _, err = place.ask("compare", "null", "boxed")
    assert status == 1
    assert "prebuilt: libport.a, of unknown compiler and flags against compiled here" in err
    assert place.ask("compare", "boxed", "boxed")[0] == 0
    words = ("footprint", str(folder), "--scenario", "basic-processing")
    place.capsys.readouterr()
    assert command_line.main(list(words)) == 0
    assert "libport.a was compiled elsewhere, with unknown flags" in place.capsys.readouterr().out


def prebuilt(root: Path) -> Path:
    """Makes the folder of a kernel that a vendor delivers without source: kernel `null`, as a
    library."""
    folder = root / "boxed"
    shutil.copytree(paths.CHECKOUT / "kernels" / "null", folder)
    honest = catalogue.find_kernel("null")
    board = catalogue.find_board("mps2-an386")
    (scenario, *_) = catalogue.find_suite("thread-metric").scenarios
    case = Case(Variant(honest, honest.configs["default"], board, "O0", board.clock_hz), scenario)
    gcc = str(building.find_toolchain().compiler)
    includes = ("-Ibench/include", "-Iplatform/common/include", "-Iplatform/arch/armv7-m/include")
    words = [*flags.compile_flags(case), *includes, "-include", str(folder / "config/default.h")]
    objects: list[str] = []
    of_core = [name for part in honest.parts(board.core) for name in part.sources]
    for name in (*honest.sources, *of_core):
        compiled = folder / f"{Path(name).stem}.o"
        whole = [
            gcc,
            *words,
            f"-I{folder}",
            f"-I{folder}/armv7-m",
            "-c",
            str(folder / name),
            "-o",
            str(compiled),
        ]
        subprocess.run(whole, check=True, cwd=paths.CHECKOUT)
        objects.append(str(compiled))
    subprocess.run(["arm-none-eabi-ar", "rcs", str(folder / "libport.a"), *objects], check=True)
    (folder / "kernel.toml").write_text(
        '[kernel]\nname = "boxed"\ntitle = "Boxed"\nversion = "1"\nsources = []\n'
        'libraries = ["libport.a"]\nservices = []\n[core.cortex-m4f]\n'
        '[config.default]\nheader = "config/default.h"\nreason = "the only one"\n'
    )
    return folder
