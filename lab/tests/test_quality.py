# SPDX-License-Identifier: MIT
"""Tests the project's own checks: each rule finds a file that breaks it, and `doctor` names missing
tools."""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from ticklab import paths
from ticklab.commands import doctor
from ticklab.quality import core_calls, programs, rules

# Names of source files in documents, without patterns and without files of Ibex and CV32E40S.
CITED = re.compile(
    r"(?<![\w./*-])(?!ibex_|cv32e40s_)[\w./-]*\w\.(?:py|rs|c|h|S|sv|toml|ld|md)\b(?!\.)"
)
# Code blocks that a test executes (walkthrough.py). They write the files that they name.
EXECUTED = re.compile(r"^```\w+ .+\n(?:.*\n)*?```$", re.MULTILINE)
# Files that a user has or a program writes.
GENERATED = {
    "../product/FreeRTOSConfig.h",
    "/product/my.h",
    "SYSTEM.toml",
    "comment.md",
    "handles.rs",
    "kernel_features.h",
    "kernel_options.c",
    "ticklab.toml",
    "handles.h",
    "kernel_tables.c",
    "order.ld",
    "profile.toml",
    "user_objects.c",
}
CONTRIBUTING = paths.CHECKOUT / "CONTRIBUTING.md"
HEAD = "// SPDX-License-Identifier: MIT\n"
TARGET = "lab/src/ticklab/targets/a.py"
VIEW = "lab/src/ticklab/views/a.py"
PYTHON = HEAD.replace("//", "#")
PACKAGE = "bulkhead/cmake/BulkheadConfig.cmake"
PROPERTY = "set_property(GLOBAL PROPERTY BULKHEAD_cortex-%s)\n"


@pytest.mark.parametrize(
    ("name", "text", "violations"),
    [
        ("a.c", HEAD, []),
        ("a.c", "int a;\n", ["a.c:1: does not begin with 'SPDX-License-Identifier: MIT'"]),
        ("observer/qemu-plugin/src/a.rs", HEAD, ["GPL-2.0-or-later"]),
        ("a.c", HEAD + "x" * 101 + "\n", ["a.c:2: has 101 columns"]),
        ("a.c", HEAD + "x\n" * 500, ["a.c: has 501 lines"]),
        ("a.c", HEAD + "x", ["a.c: does not end with a line feed"]),
        ("a.md", "x" * 101 + "\n" * 501, []),
        ("a.py", PYTHON + 'F = ["-mcpu=cortex-m4"]\n', ["a.py:2: has -mcpu=cortex-m4; take"]),
        ("a.py", PYTHON + 'run(["gcc", "a.c"])\n', ["a.py:2: starts a compiler; take the command"]),
        ("a.py", PYTHON + 'run([\n    "rv-gcc",\n    "a.c",\n])\n', ["a.py:2: starts a compiler"]),
        ("a.py", PYTHON + "w = [core.arch.compiler.program]\n", ["a.py:2: starts a compiler"]),
        ("a.py", PYTHON + "c = [*program.guest(x), f]\n", ["a.py:2: writes a command by hand"]),
        ("a.py", PYTHON + 'TOOLS = ("gcc", "qemu-system-arm")\n', []),
        (PACKAGE, PYTHON + PROPERTY % "m3 -mcpu=cortex-m3 -mthumb", []),
        (PACKAGE, PYTHON + PROPERTY % "m3 -mthumb", ["the flags of cortex-m3 are not -mcpu"]),
        (PACKAGE, PYTHON + PROPERTY % "m2 -mthumb", ["cortex-m2 is not in platform/cores"]),
        (TARGET, PYTHON + "from ticklab import names\nfrom ticklab.description import model\n", []),
        (TARGET, PYTHON + "from ticklab import analysis\n", [":2: targets imports analysis"]),
        (TARGET, PYTHON + "from ticklab.views.json import a\n", ["targets imports views"]),
        ("lab/src/ticklab/a.py", PYTHON + "from ticklab import targets\n", ["a imports targets"]),
        (VIEW, PYTHON + "a = isinstance(board.machine, Debugged)\n", [":2: asks for a kind"]),
        (VIEW, PYTHON + "assert isinstance(machine, Simulated)\n", []),
        (TARGET, PYTHON + "isinstance(machine, Debugged)\n", []),
        ("a.md", "one\nBehind it\n", ["a.md:2: says 'Behind'; write 'after'"]),
        ("run", HEAD + "# What it does.\n", ["run:2: says 'What'; begin with"]),
        ("a.md", "What does it do?\n- What it does.\n", ["a.md:2: says 'What'"]),
        ("a.pml", HEAD + "// Of a thread the last leads.\n", ["a.pml:2: says 'Of a'"]),
        ("a.inc", HEAD + "// A thread, who waits.\n", ["a.inc:2: says 'who'; name the thing"]),
        ("a.txt", "For users who wait, and a reader who reads.\n", []),
        ("a.toml", HEAD + 'removes = "whom it serves"\n', ["a.toml:2: says 'whom'"]),
        ("a.S", HEAD + "FUNCTION a\n bne 1f\n1: nop\n b 1b\nFUNCTION b\n", []),
        ("a.S", HEAD + "FUNCTION a\n bne 1f\nFUNCTION b\n1: nop\n", ["a.S:3: 1f is in another"]),
        ("a.S", HEAD + "1: nop\n.type b, %function\nb: b 1b // 1:\n", ["a.S:4: 1b is in"]),
        ("a.S", HEAD + ".macro A\n bne 1f\n.endm\nFUNCTION a\n1: nop\n", []),
        ("a.svh", "wire a;\n", ["a.svh:1: does not begin with"]),
    ],
)
def test_rules(name: str, text: str, violations: Sequence[str]) -> None:
    found = list(rules.of_text(name, text))
    assert len(found) == len(violations)
    for line, expected in zip(found, violations, strict=True):
        assert expected in line


FIRST = "int first(void) {\n    return second(1);\n}\n"
SECOND = "__attribute__((noinline)) int second(int a,\n    int b) {\n    return 0; // first()\n}\n"
THIRD = "static int first(void) {\n    return 0;\n}\nint third(void) {\n    return first();\n}\n"
BACK = "static int back(void) {\n    return first();\n}\n"


@pytest.mark.parametrize(
    ("sources", "circle"),
    [
        ({"a.c": FIRST, "b.c": SECOND}, []),
        ({"a.c": FIRST, "b.c": SECOND + BACK}, ["a.c calls b.c calls a.c"]),
        ({"a.c": THIRD, "b.c": SECOND}, []),
    ],
)
def test_the_core_of_bulkhead_calls_in_no_circle(
    sources: Mapping[str, str], circle: Sequence[str]
) -> None:
    found = list(core_calls.violations(sources))
    assert len(found) == len(circle)
    assert all(text in line for text, line in zip(circle, found, strict=True))


def test_a_link_to_a_missing_file_is_a_broken_rule(tmp_path: Path) -> None:
    document = tmp_path / "a.md"
    document.write_text("[a](a.md) [b](https://b.example/c)\n[d](d.md#part)\n")
    (found,) = rules.broken_links(document)
    assert found.endswith("a.md:2: links to d.md, which does not exist")


WRITTEN = re.compile(r"```\w+ (?:file|append)=(\S+)")
CHANGED = re.compile(r"sed -i (?:[^\n]|\\\n)*?((?:bench|lab|kernels|bulkhead/core)/\S+\.\w+)")


@pytest.mark.parametrize("thing", ["scenario", "command", "system-call", "service"])
def test_an_addition_has_as_many_places_as_the_table_says(thing: str) -> None:
    """A page `add-a-…` says in a table which files an addition needs. The commands of the page,
    which a test executes, write these files and no others."""
    page = f"docs/how-to/add-a-{thing}.md"
    text = (paths.CHECKOUT / page).read_text()
    (row,) = re.findall(rf"\| (\d) \| \S+ [\w ]+\]\({page}\)", CONTRIBUTING.read_text())
    assert len({*WRITTEN.findall(text), *CHANGED.findall(text)}) == int(row)


@pytest.mark.parametrize("crate", ["armv7a", "rv32"])
def test_only_the_registry_names_the_crate_of_an_instruction_set(crate: str) -> None:
    own = paths.CHECKOUT / "observer" / crate
    naming = {
        str(file.relative_to(paths.CHECKOUT))
        for file in rules.files()
        if not file.is_relative_to(own) and file.suffix in (".rs", ".toml", ".py")
        if re.search(rf"ticklab[-_]{crate}\b", file.read_text())
    }
    assert naming == {"observer/registry/Cargo.toml", "observer/registry/src/lib.rs"}


def test_every_source_that_a_document_cites_exists() -> None:
    """The changelog may name files that no longer exist."""
    names = ["/" + str(file.relative_to(paths.CHECKOUT)) for file in rules.files()]
    missing = {
        cited
        for document in rules.files(".md")
        if document.name != "CHANGELOG.md"
        for cited in CITED.findall(EXECUTED.sub("", document.read_text()))
        if not any(name.endswith("/" + cited.lstrip("./")) for name in names)
    }
    assert missing - GENERATED == set()


def test_a_formatter_that_fails_is_quoted() -> None:
    assert programs._quoted([sys.executable, "-c", ""], {}) == ""
    assert programs._quoted([sys.executable, "-c", "print('why'); exit(3)"], {}) == "why"
    assert "status 3" in programs._quoted([sys.executable, "-c", "exit(3)"], {})


def test_doctor_names_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("TICKLAB_HOME", str(tmp_path))
    assert doctor.run(argparse.Namespace()) == 0
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CARGO_HOME", str(tmp_path))
    capsys.readouterr()
    assert doctor.run(argparse.Namespace()) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "missing: qemu-system-arm, arm-none-eabi-gcc, cc, rust"
