# SPDX-License-Identifier: MIT
"""Tests that the set-up asks once on a terminal before it installs packages, and that no other code
installs packages."""

from __future__ import annotations

import io
import os
import pty
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ticklab import bootstrap, building, cli, paths, targets
from ticklab.bootstrap import consent, steps, system
from ticklab.bootstrap.step import SetupStep
from ticklab.commands import setup
from ticklab.description import catalogue
from ticklab.errors import TicklabError, UsageError

NEEDED = ("env", "uname", "id", "dirname", "readlink")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Simulates a machine with apt on which every program of `system` is missing. The simulated apt
    writes its arguments to a file."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in NEEDED:
        (folder / name).symlink_to(shutil.which(name, path="/usr/bin:/bin") or "")
    (folder / "python3").symlink_to(sys.executable)
    for name, text in (("apt-get", f'echo "$*" >>{tmp_path}/apt'), ("sudo", 'exec "$@"')):
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("TICKLAB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TICKLAB_NO_INSTALL", raising=False)
    return tmp_path


def on_a_terminal(answer: str, *words: str) -> str:
    """Runs `ticklab` on a terminal on which a user types `answer`, and returns the output."""
    ours, theirs = pty.openpty()
    command = [str(paths.CHECKOUT / "ticklab"), *words]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as child:
        os.close(theirs)
        os.write(ours, answer.encode())
        said = bytearray()
        try:
            while data := os.read(ours, 4096):
                said += data
        except OSError:  # the terminal has closed
            pass
        child.wait()
    os.close(ours)
    return said.decode()


def installed(machine: Path) -> str:
    noted = machine / "apt"
    return noted.read_text() if noted.exists() else ""


def test_a_user_who_declines_gets_nothing_and_the_names(machine: Path) -> None:
    said = on_a_terminal("n\n", "setup", "system")
    assert "as root" in said
    assert "gcc-arm-none-eabi" in said
    assert said.count("[Y/n]") == 1
    assert "nothing was installed" in said
    assert installed(machine) == ""


@pytest.mark.parametrize("answer", ["\n", "y\n", "Yes\n"])
def test_a_user_who_agrees_is_asked_once_for_all(machine: Path, answer: str) -> None:
    said = on_a_terminal(answer, "setup", "system", "rtl")
    assert said.count("[Y/n]") == 1
    assert "verilator" in said.partition("[Y/n]")[0]
    assert "install qemu-system-arm" in installed(machine)


@pytest.mark.parametrize("words", [("--yes", "setup", "system"), ("setup", "system", "--yes")])
def test_a_user_who_agrees_in_advance_is_not_asked(machine: Path, words: tuple[str, ...]) -> None:
    assert "[Y/n]" not in on_a_terminal("", *words)
    assert "install qemu-system-arm" in installed(machine)


def test_without_a_terminal_the_set_up_goes_on(machine: Path) -> None:
    command = [str(paths.CHECKOUT / "ticklab"), "setup", "system"]
    answer = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert "[Y/n]" not in answer.stderr
    assert "install qemu-system-arm" in installed(machine)


def test_the_end_of_input_declines(machine: Path) -> None:
    assert "nothing was installed" in on_a_terminal("\x04", "setup", "system")
    assert installed(machine) == ""


def test_where_nothing_may_be_installed_nothing_is_asked(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TICKLAB_NO_INSTALL", "1")
    said = on_a_terminal("", "setup", "system")
    assert "[Y/n]" not in said
    assert "install qemu-system-arm" in said


def test_python_itself_is_asked_for(machine: Path) -> None:
    (machine / "bin" / "python3").unlink()
    said = on_a_terminal("n\n", "setup")
    assert said.count("[Y/n]") == 1
    assert "python3-venv" in said
    assert installed(machine) == ""


def test_packages_are_named_once(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(consent, "_on_a_terminal", lambda: True)
    monkeypatch.setattr(consent, "say", said.append)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    one = SetupStep("a", "A", str, bool, lambda log: None, lambda: ["rustc", "cargo"])
    with pytest.raises(TicklabError, match="install rustc cargo and try again"):
        consent.obtain([one, replace(one, name="b")], agreed=False)
    assert said[0].endswith(": rustc cargo")


# --- No other code installs packages --------------------------------------------------------------


@pytest.fixture
def without_rv32(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulates a machine without the programs for RV32; a set-up step that is carried out fails
    the test."""

    def make(_step: SetupStep) -> None:
        raise AssertionError("a step of the set-up was made")

    changed = tuple(
        replace(step, present=lambda: False) if step.name == "rv32" else step
        for step in steps.STEPS
    )
    monkeypatch.setattr(bootstrap, "STEPS", changed)
    monkeypatch.setattr(SetupStep, "make", make)


@pytest.mark.usefixtures("without_rv32")
@pytest.mark.parametrize("board", ["virt", "ibex"])
def test_a_target_names_the_remedy_and_installs_nothing(board: str) -> None:
    with pytest.raises(TicklabError, match="'ticklab setup rv32'"):
        targets.of(catalogue.find_board(board), 1)


@pytest.mark.usefixtures("without_rv32")
def test_a_toolchain_names_the_remedy_and_installs_nothing() -> None:
    with pytest.raises(TicklabError, match="'ticklab setup rv32'"):
        building.find_toolchain(arch="rv32")


def needs_of(monkeypatch: pytest.MonkeyPatch, *words: str) -> set[str]:
    """Returns the set-up steps that a command line requests before its command runs."""
    asked: list[str] = []

    def ensure(needs: list[str], _words: object, _agreed: bool) -> None:
        asked.extend(needs)
        raise TicklabError("enough")

    monkeypatch.setattr(bootstrap, "ensure", ensure)
    cli.main(words)
    return set(asked)


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--board", "mps2-an386", "ibex"),
        ("observe", "a.elf", "--board", "virt", "--call", "f"),
        ("footprint", "--board", "virt"),
        ("port", "check", ".", "--board", "virt"),
        ("bench", "rtl"),
        ("setup", "sources", "rv32"),
    ],
)
def test_the_needs_of_a_board_are_known_before(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    needed = needs_of(monkeypatch, *words)
    assert "rv32" in needed
    assert "ibex" not in words or {"sources", "rtl"} <= needed


def test_an_arm_board_needs_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert needs_of(monkeypatch, "run") == set(bootstrap.EVERYTHING)


def test_an_unknown_board_is_refused_before_the_set_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert needs_of(monkeypatch, "run", "--board", "virtt") == set()
    assert "virt" in capsys.readouterr().err


def test_setup_refuses_an_unknown_step() -> None:
    with pytest.raises(UsageError, match="rv32"):
        setup._step("riscw")


def test_every_program_of_the_set_up_has_packages() -> None:
    for program in (*system.always(), *system.RTL):
        assert program.packages
