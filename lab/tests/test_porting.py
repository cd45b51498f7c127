# SPDX-License-Identifier: MIT
"""Tests docs/tutorials/measure-your-kernel.md: its quotations are in the example's files, and its
commands work."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import textwrap
from pathlib import Path

import console
import pytest
from test_ports import check_proofs

from ticklab import paths
from ticklab.description import scaffold
from ticklab.description.kernel import read_kernel
from ticklab.errors import UsageError
from ticklab.measurement import cases
from ticklab.measurement.portcheck import Feature

FERRY = paths.CHECKOUT / "docs" / "examples" / "ferry"
EXAMPLE = paths.CHECKOUT / "docs" / "examples" / "relay"
COMMAND = "./ticklab "


def section() -> str:
    return (paths.CHECKOUT / "docs" / "tutorials" / "measure-your-kernel.md").read_text()


def blocks() -> list[str]:
    """Returns the code blocks of the tutorial, which are the lines that begin with four spaces."""
    found = re.findall(r"(?:^    .*\n(?:\n(?=    ))?)+", section(), flags=re.MULTILINE)
    return [textwrap.dedent(block).strip() for block in found]


def ticklab(folder: Path, command: str, store: Path | None = None) -> console.Answer:
    places = [] if " new " in f" {command} " else ["--store", str(store or folder / "store")]
    words = shlex.split(command.removeprefix(COMMAND))
    if words[0] == "run":
        places += ["--output", str(folder / "report.html"), "--no-model", "--no-why"]
        places += ["--samples", "20"]
    return console.ticklab(*words, *places, folder=folder)


def test_the_commands_of_the_document_do_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "docs").symlink_to(paths.CHECKOUT / "docs")
    commands = [line for block in blocks() for line in block.splitlines() if COMMAND in line]
    answers = {command: ticklab(tmp_path, command) for command in commands}
    assert [(c, a.status) for c, a in answers.items() if a.status] == []
    scaffolded, example = (answers[c].out for c in commands if "port check" in c)
    assert "proved" not in scaffolded
    proved = set(re.findall(r"proved +(\S+)", example))
    assert proved >= {"yield", "delay", "semaphore", "interrupt"}


def test_the_quotations_of_the_document_are_in_the_example() -> None:
    files = [file.read_text() for file in EXAMPLE.rglob("*") if file.is_file()]
    whole = "\n".join(textwrap.dedent(text) for text in files)
    plain = re.sub(r"\s+", " ", whole)
    quotations = [block for block in blocks() if COMMAND not in block]
    assert len(quotations) > 5
    for quotation in quotations:
        for part in quotation.split("\n\n"):
            assert re.sub(r"\s+", " ", part) in plain


YIELD = "relay_current->turn = ++turns;\n    request_switch();\n    interrupts_as(before);"


def test_a_port_that_does_not_keep_its_word_is_reported(tmp_path: Path) -> None:
    """The port breaks one declared service and one declared feature."""
    shutil.copytree(EXAMPLE, tmp_path / "relay")
    for file, old, new in (
        ("relay.c", YIELD, YIELD.partition("\n")[2]),
        ("kernel.toml", "time_slicing = false", "time_slicing = true"),
    ):
        changed = tmp_path / "relay" / file
        assert old in changed.read_text()
        changed.write_text(changed.read_text().replace(old, new))
    answer = ticklab(tmp_path, "port check relay")
    assert answer.status == 1
    assert "broken       yield: yield: " in answer.out
    assert "otherwise    feature time_slicing: yes; found: no" in answer.out


@pytest.fixture(scope="module")
def ferry(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that several tests share, so that the conformance of example Ferry is tested once."""
    return tmp_path_factory.mktemp("ferry")


@pytest.mark.parametrize(
    "config", ["default", pytest.param("priority-order", marks=pytest.mark.long)]
)
def test_the_example_with_other_semantics_keeps_what_it_declares(
    tmp_path: Path, ferry: Path, config: str
) -> None:
    answer = ticklab(tmp_path, f"port check {shlex.quote(str(FERRY))} --config {config}", ferry)
    assert answer.status == 0, answer.out
    order = "semaphore-order" if config == "priority-order" else "semaphore-order-fifo"
    proved = set(re.findall(r"proved +(\S+)", answer.out))
    assert proved >= {order, "mutex-ownership", "handler-resumes"}
    assert "feature queue.copies: no" in answer.out
    assert re.search(r"next: service \S+, with which the port can run \d+ more", answer.out)


def test_the_order_of_waiters_is_what_the_example_declares(ferry: Path) -> None:
    """Runs the conformance programs of the features that the configuration declares."""
    config = read_kernel(FERRY).configs["priority-order"]
    proofs = [one for one in cases.conformance() if not one.proves.isdisjoint(config.features)]
    check_proofs(ferry, read_kernel(FERRY), config.name, proofs)
    assert {"semaphore-order", "mutex-order"} <= {one.name for one in proofs}


def test_an_error_of_the_compiler_is_shown_once(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "relay")
    with (tmp_path / "relay" / "port.c").open("a") as port:
        port.write("int broken = ;\n")
    answer = ticklab(tmp_path, "port check relay")
    assert answer.status == 1
    assert answer.out.count("does not build") == 1
    assert "broken       delay: as " in answer.out


@pytest.mark.parametrize(
    "part",
    [
        "--param ready=0 fpu=unused waiters=1,50 tasks=50 sleepers=50",
        pytest.param("", marks=pytest.mark.long),
    ],
    ids=["part", "all"],
)
def test_the_example_with_other_semantics_is_measured(
    tmp_path: Path, ferry: Path, part: str
) -> None:
    suites = "thread-metric services rhealstone isolation"
    kernel = f"--kernel {shlex.quote(str(FERRY))} --config default"
    answer = ticklab(tmp_path, f"run {kernel} --suite {suites} {part} --json -", ferry)
    records = json.loads(answer.out)["records"]
    statuses = {each["status"] for each in records}
    assert statuses == {"pass", "unsupported"}, answer.err
    (message,) = (each for each in records if each["scenario"] == "message-processing")
    assert message["reason"] == "ferry has no queue.copies"
    waiting = [each for each in records if each["span"] == "semaphore-wait-block"]
    same = {each["instructions"]["mean"] for each in waiting if each["instructions"]}
    assert len(same) == 1, "FIFO: the cost does not depend on the number of waiters"
    computed = {each["scenario"]: each["status"] for each in records if each["formula"]}
    assert computed["rhealstone-1990"] == "unsupported"
    assert computed["rhealstone-1990-common"] == "pass"


def test_the_worst_case_of_a_mailbox_is_measured(tmp_path: Path, ferry: Path) -> None:
    kernel = f"--kernel {shlex.quote(str(FERRY))}/default --skip-conformance"
    scenarios = "--suite worst-case --scenario queue-send queue-send-reference"
    answer = ticklab(tmp_path, f"run {kernel} {scenarios} --json -", ferry)
    records = json.loads(answer.out)["records"]
    statuses = {each["scenario"]: each["status"] for each in records}
    assert statuses == {"queue-send": "unsupported", "queue-send-reference": "pass"}


def test_the_guide_quotes_the_example() -> None:
    text = (paths.CHECKOUT / "docs" / "how-to" / "port-a-kernel.md").read_text()
    section = text.partition("## A kernel with other semantics")[2].partition("\n## ")[0]
    whole = "".join((FERRY / name).read_text() for name in ("kernel.toml", "port.c"))
    quotations = re.findall(r"```\n(.*?)```", section, flags=re.DOTALL)
    assert len(quotations) == 2
    assert all(quotation.strip() in whole for quotation in quotations)


def test_a_new_port_is_a_description_that_lists_nothing(tmp_path: Path) -> None:
    scaffold.write("my-kernel", tmp_path / "here")
    kernel = read_kernel(tmp_path / "here")
    assert (kernel.name, kernel.services) == ("my-kernel", frozenset())
    with pytest.raises(UsageError, match=r"here exists; .*--in"):
        scaffold.write("my-kernel", tmp_path / "here")
    with pytest.raises(UsageError, match=r"cannot be called 'My_Kernel'; use lower-case"):
        scaffold.write("My_Kernel", tmp_path / "there")


@pytest.mark.parametrize(
    ("declared", "found", "otherwise"),
    [(True, True, False), ("a text", True, False), (False, True, True), (True, None, False)],
)
def test_a_feature_is_held_against_what_was_seen(
    declared: bool | str, found: bool | None, otherwise: bool
) -> None:
    assert Feature("isolation", declared, found).otherwise is otherwise
