# SPDX-License-Identifier: MIT
"""Damages each file that a real run wrote in several ways, and runs each command that reads the
store.

A command must either print what it printed before, because it does not read the file, or name the
file and the remedy in one line. It must never print a changed figure or raise an exception.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from ticklab import cli

SCENARIO = "basic-processing"
RUN = ("run", "--kernel", "null", "--scenario", SCENARIO, "--samples", "20", "--record")


def flip(data: bytes) -> bytes | None:
    """Changes a digit in the middle of the file, so that the changed content could be a true
    figure."""
    digits = [place for place, byte in enumerate(data) if chr(byte).isdigit()]
    place = digits[len(digits) // 2] if digits else len(data) // 2
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


DAMAGES: dict[str, Callable[[bytes], bytes | None]] = {
    "flipped": flip,
    "flipped in the middle": lambda data: (
        data[: (m := len(data) // 2)] + bytes([data[m] ^ 1]) + data[m + 1 :]
    ),
    "truncated": lambda data: data[:-9],
    "emptied": lambda _: b"",
    "removed": lambda _: None,
}
# Without --long, a digit is changed, the end is cut off, or the file is removed.
DAMAGE = [
    pytest.param(
        name, marks=() if name in ("flipped", "truncated", "removed") else pytest.mark.long
    )
    for name in DAMAGES
]
KINDS = {
    "runs": {"run.json", "summary.json", "SHA256SUMS"},
    "measurements": {"manifest.json", "samples.parquet", "SHA256SUMS"},
    "images": {"image.elf", "SHA256SUMS"},
    "baselines": {"main.json"},
}


@dataclass(frozen=True)
class Answer:
    status: int
    shown: str
    said: str


@dataclass(frozen=True)
class Bench:
    root: Path
    capsys: pytest.CaptureFixture[str]

    @property
    def store(self) -> Path:
        return self.root / "store"

    def ask(self, *words: str) -> Answer:
        self.capsys.readouterr()
        status = cli.main([*words, "--store", str(self.store)])
        text = self.capsys.readouterr()
        written = [self.root / name for name in ("report.html", "trace.json", "saved.json")]
        files = [file.read_text() for file in written if str(file) in words and not status]
        return Answer(status, "".join([text.out, *files]), text.err)

    def commands(self) -> list[tuple[str, ...]]:
        report = str(self.root / "report.html")
        return [
            ("list", "runs"),
            ("show",),
            ("show", "--json", "-"),
            ("show", "--csv", "-"),
            ("compare", "latest", "null", "--json", "-"),
            ("explain", "null", "--json", "-"),
            ("history", "null", "--json", "-"),
            ("report", "-o", report),
            ("baseline", "list"),
            ("gate", "latest", "--baseline", "main", "--json", "-"),
            ("prune",),
        ]

    def commands_that_run_the_image(self) -> list[tuple[str, ...]]:
        trace, saved = str(self.root / "trace.json"), str(self.root / "saved.json")
        return [("trace", "null", "--chrome", trace), ("baseline", "save", saved)]

    def files(self) -> list[Path]:
        """Returns all files except the reports, which no command reads."""
        found = (file for kind in KINDS for file in (self.store / kind).rglob("*"))
        return sorted(file for file in found if file.is_file())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("damage")
    places = ("--store", str(root / "store"), "--output", str(root / "report.html"))
    assert cli.main([*RUN, *places]) == 0
    assert cli.main(["baseline", "save", "main", *places[:2]]) == 0
    return root


@pytest.fixture
def bench(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Bench:
    shutil.copytree(made / "store", tmp_path / "store", symlinks=True)
    return Bench(tmp_path, capsys)


def names_it(answer: Answer, file: Path) -> bool:
    """Returns whether one line of the answer names the damaged file (or its folder, if a checksum
    differs) and the remedy."""
    lines = [line for line in answer.said.splitlines() if str(file.parent) in line]
    refused = answer.status == 1 and len(answer.said.splitlines()) == 1
    goes_on = answer.status == 0 or "no run in the store has figures" in answer.said
    return bool(lines) and all("; " in line for line in lines) and (goes_on or refused)


def says_it_is_gone(answer: Answer, file: Path) -> bool:
    """Returns whether the answer says that a removed baseline does not exist. Each other file is
    listed in its folder's checksums, so that its removal is damage."""
    return file.name == "main.json" and not file.exists() and "main" not in answer.shown


def test_every_kind_of_file_is_there(bench: Bench) -> None:
    found = {k: {f.name for f in (bench.store / k).rglob("*") if f.is_file()} for k in KINDS}
    assert found == KINDS
    assert {place.name for place in bench.store.iterdir()} == {*KINDS, "reports"}


@pytest.mark.parametrize("damage", DAMAGE)
def test_no_command_shows_a_changed_figure(bench: Bench, damage: str) -> None:
    commands = bench.commands()
    if damage == "flipped":
        commands = [*bench.commands_that_run_the_image(), *commands]
    before = {command: bench.ask(*command) for command in commands}
    assert {answer.status for answer in before.values()} == {0}
    touched: dict[str, int] = {}
    for file in bench.files():
        whole = file.read_bytes()
        left = DAMAGES[damage](whole)
        assert left != whole
        file.unlink() if left is None else file.write_bytes(left)
        for command in commands:
            answer = bench.ask(*command)
            if answer == before[command]:
                continue
            touched[file.name] = touched.get(file.name, 0) + 1
            in_report = command[0] == "report" and f"{file.parent.name}/" in answer.shown
            is_reported = in_report or names_it(answer, file) or says_it_is_gone(answer, file)
            assert is_reported, (file, command, answer)
        file.write_bytes(whole)
    assert set(touched) == {name for names in KINDS.values() for name in names}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_damaged_is_measured_again_and_set_aside(bench: Bench, damage: str) -> None:
    words = (*RUN, "--output", str(bench.root / "again.html"), "--json", "-")
    before = _records(bench.ask(*words))
    for name in sorted(KINDS["measurements"]):
        (file,) = bench.store.glob(f"measurements/*/{name}")
        left = DAMAGES[damage](file.read_bytes())
        file.unlink() if left is None else file.write_bytes(left)
        answer = bench.ask(*words)
        assert answer.status == 0, answer.said
        assert _records(answer) == before
        assert str(file.parent) in answer.said
        assert (file.is_file(), len(list(bench.store.glob("measurements/.damaged-*")))) == (True, 1)
        assert bench.ask("prune").status == 0
        assert not list(bench.store.glob("*/.damaged-*"))


def _records(answer: Answer) -> Sequence[object]:
    records: Sequence[object] = json.loads(answer.shown)["records"]
    return records
