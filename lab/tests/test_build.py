# SPDX-License-Identifier: MIT
"""Tests builds: the image does not depend on where the checkout is, every error is one line, and
nothing is built twice.

The guests are tiny: a kernel that starts nothing, and a scenario with one mark.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ticklab import building, digest, paths
from ticklab.building import elf, flags, layout, ninja, plan, provenance
from ticklab.description import catalogue, levels
from ticklab.description.kernel import read_kernel
from ticklab.description.model import Case, CrateSource, Image, Variant
from ticklab.description.suite import read_suite
from ticklab.errors import TicklabError, UncompilableError, UsageError
from ticklab.measurement import cases

KERNEL = """\
[kernel]
name = "tiny"
title = "Tiny"
version = "1"
services = []
sources = ["port.c"]
includes = ["."]
[arch.armv7-m]
[config.default]
header = "config.h"
reason = "there is one"
"""
PORT = """\
#include <bench/port.h>
#include <assert.h>
void bench_port_start(void) {
    assert(CONFIG_TASKS == 4); // an assert names its file: the image must not depend on where it is
    for (;;) {
        bench_scenario.tasks->entry();
    }
}
"""
SUITE = """\
[suite]
name = "tiny"
title = "Tiny"
source = "this test"
[[scenario]]
name = "once"
file = "once.c"
services = []
plan = { warm_up = 0, samples = 1 }
span.iteration.each = ["here"]
"""
SCENARIO = """\
#include <bench/mark.h>
#include <bench/scenario.h>
static void entry(void) {
    BENCH_MARK("here");
}
static const struct bench_task_declaration task = {.entry = entry, .priority = 1};
const struct bench_scenario bench_scenario = {.name = "once", .tasks = &task, .task_count = 1};
"""
CONFIG = "#include <stdint.h>\n#define CONFIG_TASKS 4\n#define CONFIG_H\n"

Change = Callable[[Path], None]
pytestmark = pytest.mark.usefixtures("home")


def case_in(folder: Path) -> Case:
    folder.mkdir(parents=True)
    texts = {"kernel.toml": KERNEL, "port.c": PORT, "config.h": CONFIG}
    for name, text in {**texts, "suite.toml": SUITE, "once.c": SCENARIO}.items():
        (folder / name).write_text(text)
    kernel = read_kernel(folder)
    board = catalogue.find_board("mps2-an386")
    scenario = read_suite(folder).scenarios[0]
    return Case(Variant(kernel, kernel.configs["default"], board, "O2", board.clock_hz), scenario)


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return case_in(tmp_path / "a kernel")


def built(*cases: Case) -> list[Image | TicklabError]:
    return building.build(cases, building.find_toolchain())


def planned(case: Case) -> plan.BuildPlan:
    return plan.plans([case], building.find_toolchain())[0]


def image(case: Case) -> Image:
    (result,) = built(case)
    assert isinstance(result, Image), result
    return result


def error(case: Case) -> str:
    (result,) = built(case)
    assert isinstance(result, TicklabError)
    assert "\n" not in str(result)
    return str(result)


def test_an_image_has_its_marks(case: Case) -> None:
    assert elf.read(image(case).path).has_marks


@pytest.mark.parametrize("optimise", ["O2", "Os+lto", "Os+lto+called"])
def test_an_image_does_not_depend_on_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, optimise: str
) -> None:
    one = image(case_in(tmp_path / "one place").varied(optimise=optimise))
    checkout = tmp_path / "another checkout"
    for name in ("bench", "platform"):
        shutil.copytree(paths.CHECKOUT / name, checkout / name)
    tools = paths.venv()
    monkeypatch.setenv("TICKLAB_HOME", str(checkout / "elsewhere"))
    monkeypatch.setattr(paths, "CHECKOUT", checkout)
    (checkout / "elsewhere").mkdir()
    (checkout / "elsewhere" / "venv").symlink_to(tools)
    other = image(case_in(tmp_path / "a much longer place").varied(optimise=optimise))
    assert one.path != other.path
    assert one.sha256 == other.sha256
    assert str(tmp_path).encode() not in one.path.read_bytes()


def test_nothing_is_built_twice(case: Case) -> None:
    steps: list[int] = []
    image(case)
    building.build([case], building.find_toolchain(), lambda done, total: steps.append(done))
    assert steps == []


def test_a_kernel_is_compiled_once_for_all_its_scenarios(case: Case) -> None:
    other = replace(case, scenario=replace(case.scenario, name="again"))
    toolchain = building.find_toolchain()
    edges = [edge for one in plan.plans([case, other], toolchain) for edge in one.edges]
    text = ninja.manifest(edges, toolchain, "part")
    assert text.count("/port.c.o: compile") == 1
    assert text.count("image.elf.map: link") == 2


def test_the_platform_is_compiled_once_for_all_kernels(case: Case, tmp_path: Path) -> None:
    """A fault of it is one line, which names its log, and loses the images that need it alone."""
    board = tmp_path / "board"
    shutil.copytree(case.variant.board.folder, board)
    (board / "more.c").write_text("int more = BENCH_TICK_HZ;\n")
    mine = case.varied(board=replace(case.variant.board, folder=board))
    other = case_in(tmp_path / "other").varied(board=mine.variant.board)
    (other.variant.kernel.folder / "port.c").write_text("// other\n" + PORT)
    steps: list[str] = []
    image(mine)
    building.build([other], building.find_toolchain(), lambda *_: steps.append("built"))
    assert 0 < len(steps) < 8, "its kernel and its scenario alone"
    (board / "more.c").write_text("nonsense\n")
    broken, whole = built(mine, case_in(tmp_path / "third"))
    assert re.search(r"tiny/default \(O2\) does not build: .*more\.c.*_platform", str(broken))
    assert isinstance(whole, Image)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("port.c", "void bench_port_start(void) { nonsense; }", r"'nonsense' undeclared"),
        ("port.c", "int nothing;", "undefined reference to `bench_port_start'"),
        ("once.c", "static int unused;\n" + SCENARIO, "'unused' defined but not used"),
        ("config.h", "#error no such chip", "#error no such chip"),
        ("port.c", "char much[0x500000];\n" + PORT.replace("== 4", "== much[9]"), "will not fit"),
    ],
)
def test_a_fault_in_the_sources_is_one_line(
    case: Case, file: str, text: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (case.variant.kernel.folder / file).write_text(text)
    if file == "once.c":
        monkeypatch.setattr(plan, "_ours", lambda source: True)
    said = error(case)
    assert said.startswith("tiny/default (O2) does not build: ")
    assert message in said
    assert "build.log" in said


def test_a_broken_kernel_does_not_lose_the_others(case: Case, tmp_path: Path) -> None:
    broken = case_in(tmp_path / "broken")
    (broken.variant.kernel.folder / "port.c").write_text("nonsense")
    results = built(case, broken, case)
    assert [type(result) for result in results] == [Image, TicklabError, Image]


def test_the_sources_of_a_users_kernel_are_hashed(case: Case) -> None:
    port = case.variant.kernel.folder / "port.c"
    found = image(case).provenance["sources_sha256"]
    assert found["port.c"] == digest.hash_file(port)


def test_a_star_names_every_source_that_matches(case: Case) -> None:
    kernel = case.variant.kernel
    (kernel.folder / "extra.c").write_text("int extra = 1;\n")
    matching = case.varied(kernel=replace(kernel, sources=("port.c", "ext*.c")))
    assert "extra.c.o" in Path(plan.map_of(str(image(matching).path))).read_text()
    lost = case.varied(kernel=replace(kernel, sources=("port.c", "none*.c")))
    with pytest.raises(TicklabError, match=r"no source matches 'none\*\.c' of tiny"):
        built(lost)


def test_a_source_that_is_gone_is_named_and_loses_its_own_case_alone(case: Case) -> None:
    lost = case.varied(kernel=replace(case.variant.kernel, sources=("port.c", "gone.c")))
    broken, whole = built(lost, case)
    assert re.search(r"does not build: .*gone\.c is missing", str(broken))
    assert isinstance(whole, Image)


def test_a_prebuilt_library_takes_the_place_of_sources(case: Case) -> None:
    folder = case.variant.kernel.folder
    includes = ("-Ibench/include", "-Iplatform/arch/armv7-m/include", "-include", "config.h")
    gcc = ("arm-none-eabi-gcc", *flags.compile_flags(case), *includes, f"-I{folder}")
    compiled = ("-c", folder / "port.c", "-o", folder / "port.o")
    subprocess.run([*gcc, *compiled], check=True, cwd=paths.CHECKOUT)
    subprocess.run(["arm-none-eabi-ar", "rcs", "libport.a", "port.o"], check=True, cwd=folder)
    (folder / "port.c").unlink()
    text = KERNEL.replace('sources = ["port.c"]', 'sources = []\nlibraries = ["libport.a"]')
    (folder / "kernel.toml").write_text(text)
    found = image(case.varied(kernel=read_kernel(folder), optimise="O2+called"))
    assert found.provenance["prebuilt"] == {"libport.a": digest.hash_file(folder / "libport.a")}


def test_flags_of_the_kernel_reach_its_sources_alone(case: Case) -> None:
    mine = case.varied(kernel=replace(case.variant.kernel, flags=("-DONLY_HERE",)))
    made = planned(mine)
    flagged = [edge.output for edge in made.edges if "-DONLY_HERE" in edge.flags]
    assert [name.partition("/kernel/")[2] for name in flagged] == ["port.c.o"]
    assert "-DONLY_HERE" in image(mine).provenance["flags"]
    assert planned(case).image != made.image


def test_files_of_a_configuration_take_the_place_of_the_kernels(case: Case) -> None:
    config = replace(case.variant.config, includes=("other",), sources=("other/more.c",))
    mine = planned(case.varied(config=config))
    port = next(edge.flags for edge in mine.edges if edge.output.endswith("kernel/port.c.o"))
    folders = [Path(flag) for flag in port if flag.startswith(str(case.variant.kernel.folder))]
    other = case.variant.kernel.folder / "other"
    assert folders.index(other) < folders.index(case.variant.kernel.folder / ".")
    assert any(edge.output.endswith("other/more.c.o") for edge in mine.edges)
    assert mine.image != planned(case).image


def test_functions_of_a_static_kernel_move_against_each_other() -> None:
    choice = cases.CaseChoice(
        kernels=["bulkhead"],
        boards=["mps2-an386"],
        suites=["thread-metric"],
        scenarios=["message-processing"],
        configs=["default"],
        optimise="O2+called",
        layouts=3,
    )
    images = [elf.read(image(case).path) for case in cases.expand(choice)]
    found = [{symbol.name: symbol.address for symbol in one.symbols} for one in images]
    assert len({each["thread_block"] - each["queue_send"] for each in found}) > 1
    mine = [
        sorted(filter(re.compile("bench_[a-z]").match, each), key=each.__getitem__)
        for each in found
    ]
    assert len(set(map(tuple, mine))) == 3


def test_users_flags_come_last_and_are_reported(case: Case) -> None:
    toolchain = building.find_toolchain(cflags="-O1 '-DA=a b'")
    (found,) = building.build([case], toolchain)
    assert isinstance(found, Image)
    assert found.provenance["flags"][-2:] == ["-O1", "-DA=a b"]
    assert found.provenance["differs_from_default"] == {"cflags": "(none) -> -O1 '-DA=a b'"}
    assert found.sha256 != image(case).sha256


def test_a_clang_compiles_and_gcc_links(case: Case) -> None:
    if not shutil.which("clang"):
        pytest.skip("no clang here; Ticklab does not need it")
    toolchain = building.find_toolchain("clang")
    said: list[str] = []
    (called,) = building.adapt_levels([case], toolchain, said.append)
    assert called.variant.optimise == "O2+called"
    assert said == [
        "tiny: services are called, not inlined (O2+called): GCC cannot inline what clang compiled"
    ]
    (found,) = building.build([called], toolchain)
    assert isinstance(found, Image)
    assert "clang" in found.provenance["compiler"]
    assert found.provenance["differs_from_default"]["compiler"].startswith("arm-none-eabi-gcc")
    with pytest.raises(UsageError, match=r"clang .*O2\+lto.*without"):
        building.build([case.varied(optimise="O2+lto")], toolchain)


def test_a_kernels_own_source_that_a_named_compiler_refuses_blocks_the_kernel_alone(
    case: Case, home: Path
) -> None:
    """A source of a kernel from a registry may not suit the compiler that the user named, so an
    error in it blocks only that kernel. An error in any other source, or with the usual compiler,
    ends the command."""
    folder = paths.crate("theirs")
    folder.mkdir(parents=True)
    (folder / "refused.c").write_text("#error no compiler takes this\n")
    theirs = replace(
        case.variant.kernel,
        source=CrateSource("theirs", "1", "."),
        sources=("port.c", "@/refused.c"),
    )
    refused = case.varied(kernel=theirs)
    (found,) = building.build([refused], building.find_toolchain("arm-none-eabi-gcc"))
    assert isinstance(found, UncompilableError)
    assert "cannot compile tiny: sources/theirs/refused.c:1:2: error: #error" in str(found)
    (plain,) = built(refused)
    assert not isinstance(plain, UncompilableError)
    (case.variant.kernel.folder / "port.c").write_text("#error mine\n")
    (mine,) = building.build([case], building.find_toolchain("arm-none-eabi-gcc"))
    assert not isinstance(mine, Image | UncompilableError)


def test_sources_with_hidden_names_are_kept_apart_from_link_time_optimisation(
    case: Case, home: Path
) -> None:
    """FreeRTOS-MPU's system calls name their functions in assembler alone."""
    (home / "sources").symlink_to((home / "venv").resolve().parent / "sources")
    kernel = catalogue.find_kernel("freertos-mpu")
    yields = catalogue.find_suite("thread-metric").scenarios
    (scenario,) = (each for each in yields if each.name == "cooperative-scheduling")
    config = kernel.configs["default"]
    assert image(
        replace(case.varied(kernel=kernel, config=config, optimise="O2+lto"), scenario=scenario)
    )


@pytest.mark.parametrize(
    ("compiler", "cflags", "message"),
    [
        ("no-such-gcc", "", r"no compiler 'no-such-gcc'.*--cc"),
        ("cc", "", r"cc compiles for \S+; name one for arm-none-eabi, or a clang"),
        ("true", "", r"true compiles for"),
        ("false", "", r"false --version fails.*is it a compiler\?"),
        (None, "-DX='", r"--cflags .*No closing quotation; quote as for a shell"),
    ],
)
def test_a_compiler_that_cannot_be_is_refused(
    compiler: str | None, cflags: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        building.find_toolchain(compiler, cflags)


def test_provenance_tells_values_and_differences(case: Case, tmp_path: Path) -> None:
    own = tmp_path / "own config.h"
    own.write_text("#define CONFIG_TASKS (2 + 2)\n#define CONFIG_MORE\n#undef CONFIG_MORE\n")
    mine = case.varied(config=catalogue.find_config(case.variant.kernel, str(own)))
    found = image(mine).provenance
    assert found["config"] == {"CONFIG_TASKS": "(2 + 2)"}
    assert found["differs_from_default"] == {"CONFIG_TASKS": "4 -> (2 + 2)"}
    assert "-O2" in found["flags"]
    assert found["compiler"].startswith("arm-none-eabi-gcc")
    assert str(tmp_path) not in str(found)


def test_differences_name_what_is_absent() -> None:
    found = provenance.differences({"A": "1", "B": "1"}, {"B": "1", "C": "2"})
    assert found == {"A": "1 -> (not defined)", "C": "(not defined) -> 2"}


def test_a_layout_puts_functions_into_an_order_of_its_own(case: Case) -> None:
    orders = {functions_in_order(image(case.varied(layout=seed))) for seed in (0, 1, 2)}
    assert len(orders) == 3
    assert len({frozenset(order) for order in orders}) == 1
    assert layout.script(0) == ""


def functions_in_order(built: Image) -> tuple[str, ...]:
    symbols = sorted(elf.read(built.path).symbols, key=lambda symbol: symbol.address)
    return tuple(symbol.name for symbol in symbols if symbol.size)


def test_levels() -> None:
    assert "O2+called" in levels.LEVELS
    assert set(levels.best_levels()) == {"Os", "O2", "O3", "Os+lto", "O2+lto", "O3+lto"}


def test_an_unknown_level_is_refused(case: Case) -> None:
    with pytest.raises(UsageError, match="no optimisation level 'O9'"):
        built(case.varied(optimise="O9"))


def test_clock_sets_the_ticks_rate(case: Case) -> None:
    assert "-DBENCH_TIMER_HZ=2000000" in flags.compile_flags(case.varied(clock_hz=80_000_000))


def test_the_script_of_a_placement_is_never_seen_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The linker script is written at once, because another worker may link with it at any time."""
    monkeypatch.setattr(paths, "builds", lambda: tmp_path)
    layout.write([3])
    file = tmp_path / layout.folder(3) / layout.SCRIPT
    whole = file.read_text()
    layout.write([3])
    file.write_text("cut sho")
    with file.open() as seen_by_another:
        layout.write([3])
        assert seen_by_another.read() == "cut sho", "it was written in place"
    assert file.read_text() == whole
    assert {each.name for each in file.parent.iterdir()} == {layout.SCRIPT, layout.KERNEL_SCRIPT}


def test_failures_are_read_from_ninjas_words() -> None:
    said = (
        "[1/3] compile a.o\nFAILED: [code=1] a.o \ngcc -c a.c\n"
        "a.c: In function 'f':\na.c:3:1: error: bad\nmore\n"
        "[2/3] compile b.o\nFAILED: b.o \ngcc -c b.c\nkilled\n"
        "[3/3] link c.elf\nFAILED: c.elf \ngcc c.o\nld: warning: odd\nld: c.o: in function `f':\n"
        "ld: too large; make it smaller\ncollect2: error: ld returned 1\nninja: build stopped\n"
    )
    assert ninja.failures(said) == {
        "a.o": "a.c:3:1: error: bad",
        "b.o": "killed",
        "c.elf": "ld: too large; make it smaller",
    }


def test_a_static_kernel_keeps_its_files_under_link_time_optimisation(case: Case) -> None:
    static = replace(case.variant.kernel, generate=case.variant.kernel.folder / "generate.py")
    level = "O2+lto+called"
    made = planned(case.varied(kernel=static, optimise=level))
    flags_of = {edge.output.rsplit("/", 1)[-1]: edge.flags for edge in made.edges}
    assert all("-fno-lto" in flags_of[name] for name in ("port.c.o", "start.c.o"))
    assert "-fno-lto" in flags_of["kernel_tables.c.o"]
    assert "-fno-lto" not in flags_of["user_objects.c.o"]
    assert "-ffat-lto-objects" in flags_of["once.c.o"]


def names(edge: plan.Edge) -> list[str]:
    return [str(each).rsplit("/", 1)[-1] for each in edge.inputs]


def test_the_scenario_and_the_port_are_optimised_together_and_apart_from_the_kernel(
    case: Case,
) -> None:
    kernel = replace(case.variant.kernel, sources=("port.c", "kernel.c"))
    inlined = case.varied(kernel=kernel)
    edges = planned(inlined).edges
    (joined,) = (edge for edge in edges if edge.rule == "join")
    assert names(joined) == ["once.c.o", "port.c.o"]
    flags_of = {edge.output.rsplit("/", 1)[-1]: edge.flags for edge in edges}
    together = {name for name, flags in flags_of.items() if "-flto=1" in flags}
    assert together == {"once.c.o", "port.c.o"}
    assert plan.JOINED in names(edges[-1])
    assert "kernel.c.o" in names(edges[-1])
    assert not {"once.c.o", "port.c.o"} & {*names(edges[-1])}


@pytest.mark.parametrize("port", [None, "port.S"])
def test_services_without_a_c_source_are_called_and_the_level_says_so(
    case: Case, port: str | None
) -> None:
    prebuilt = case.varied(kernel=replace(case.variant.kernel, port=port))
    with pytest.raises(UsageError, match=r"tiny cannot be built at O2: .*'port'; .*O2\+called"):
        built(prebuilt)
    said: list[str] = []
    each = building.adapt_levels([prebuilt, prebuilt, case], building.find_toolchain(), said.append)
    assert [one.variant.optimise for one in each] == ["O2+called", "O2+called", "O2"]
    (line,) = said
    assert line.startswith("tiny: services are called, not inlined (O2+called): kernel.toml names")
    image(each[0])


def test_services_are_called_without_optimisation(case: Case) -> None:
    found = planned(case.varied(optimise="O0"))
    assert not [edge for edge in found.edges if edge.rule == "join"]


def test_a_closed_kernel_is_linked_by_itself_and_its_image_is_checked(case: Case) -> None:
    folder = case.variant.kernel.folder
    program = folder / "close.py"
    closed = replace(case.variant.kernel, generate=folder / "generate.py", close=program)
    edges = planned(case.varied(kernel=closed)).edges
    of_rule = {edge.rule: edge for edge in edges}
    kernel, link = of_rule["close"], of_rule["link_checked"]
    names = {str(each).rsplit("/", 1)[-1] for each in kernel.inputs}
    assert {"port.c.o", "start.c.o", "kernel_tables.c.o"} <= names
    assert "once.c.o" not in names
    assert link.inputs[0] == kernel.output
    assert "-Wl,--orphan-handling=error" in link.flags
    assert link.check[:2] == (str(program), "image")
