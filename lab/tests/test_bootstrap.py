# SPDX-License-Identifier: MIT
"""Tests the set-up: each step is carried out once, an interrupted set-up continues, a failed step
prints one line, and programs and toolchains are found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest

from ticklab import bootstrap, paths
from ticklab.bootstrap import rust, steps, system, tables
from ticklab.bootstrap.step import Log, SetupStep
from ticklab.description import catalogue
from ticklab.description.machine import Simulated
from ticklab.errors import TicklabError, UsageError
from ticklab.storage import sealed
from ticklab.storage.baseline_files import SCHEMA


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "a home"
    monkeypatch.setenv("TICKLAB_HOME", str(place))
    return place


def program(folder: Path, name: str, script: str) -> None:
    """Writes a shell script that stands in for a program of the system."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sets PATH to an empty folder, to which tests add scripts that stand in for programs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "no cargo"))
    monkeypatch.setenv("TICKLAB_NO_INSTALL", "1")
    return folder


# --- Steps of the set-up --------------------------------------------------------------------------


class Counted:
    """A set-up step that counts how often it is carried out, and fails on demand."""

    def __init__(self) -> None:
        self.key = "one"
        self.made = 0
        self.present = True
        self.broken = False
        self.step = SetupStep("python", "a step", lambda: self.key, lambda: self.present, self.make)

    def make(self, log: Log) -> None:
        self.made += 1
        if self.broken:
            log.run("the thing", [sys.executable, "-c", "raise SystemExit('error: no luck')"], "h")

    def ensure(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bootstrap, "STEPS", (self.step,))
        monkeypatch.setattr(os, "execv", lambda path, words: None)
        bootstrap.ensure(["python"], [], agreed=False)


def test_a_step_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted()
    counted.ensure(monkeypatch)
    counted.ensure(monkeypatch)
    assert counted.made == 1


def test_a_step_runs_again_when_its_key_changes_or_its_product_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted = Counted()
    counted.ensure(monkeypatch)
    counted.key = "two"
    counted.ensure(monkeypatch)
    assert counted.made == 2
    counted.present = False
    counted.ensure(monkeypatch)
    assert counted.made == 3


def test_a_failed_step_says_why_and_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    counted = Counted()
    counted.broken = True
    with pytest.raises(TicklabError, match=r"the thing failed: error: no luck; h \(log: .*log\)"):
        counted.ensure(monkeypatch)
    assert counted.step.failed()
    assert "no luck" in (home / "setup" / "python.log").read_text()
    counted.broken = False
    counted.ensure(monkeypatch)
    assert counted.made == 2
    assert not counted.step.failed()


def test_what_a_broken_attempt_left_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted()
    counted.ensure(monkeypatch)
    counted.key, counted.broken = "two", True
    with pytest.raises(TicklabError):
        counted.ensure(monkeypatch)
    counted.key, counted.broken = "one", False
    counted.ensure(monkeypatch)
    assert counted.made == 3


def test_steps_run_side_by_side_and_after_those_that_they_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Steps `one` and `two` wait for each other; step `three` needs both and fails, so step `four`
    is not made."""
    both, made = threading.Barrier(2, timeout=60), []

    def make(name: str, log: Log) -> None:
        if name in ("one", "two"):
            both.wait()
        made.append(name)
        if name == "three":
            log.run("the thing", [sys.executable, "-c", "raise SystemExit('error: no luck')"], "h")

    needs = {"four": ("three",), "one": (), "three": ("one", "two"), "two": ()}
    steps_ = tuple(
        SetupStep(name, name, lambda: "", lambda: True, partial(make, name), after=after)
        for name, after in needs.items()
    )
    monkeypatch.setattr(bootstrap, "STEPS", steps_)
    with pytest.raises(TicklabError, match="no luck"):
        bootstrap.ensure(list(needs), [], agreed=False)
    assert (sorted(made[:2]), made[2:]) == (["one", "two"], ["three"])


def test_each_step_is_listed_after_those_that_it_uses() -> None:
    known: set[str] = set()
    for step in steps.STEPS:
        assert known.issuperset(step.after), step.name
        known.add(step.name)


def test_a_program_that_is_missing_fails_the_step(home: Path) -> None:
    with pytest.raises(TicklabError, match=r"the thing failed: nowhere: No such file.*; h"):
        Log(home / "x.log").run("the thing", ["nowhere"], "h")


def test_the_command_continues_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(bootstrap, "STEPS", ())
    monkeypatch.setattr(os, "execv", lambda path, words: calls.append((path, words)))
    bootstrap.ensure(["python"], ["run", "--jobs", "2"], agreed=False)
    python = str(paths.tool("python"))
    assert calls == [(python, [python, "-P", "-m", "ticklab", "run", "--jobs", "2"])]


# --- Programs of the system -----------------------------------------------------------------------

QEMU = system.emulator(tables.DEFAULT)
ANSWERS = {
    "QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)": (7, 2, 22),
    "arm-none-eabi-gcc (15:12.2.rel1-1) 12.2.1 20221205": (12, 2, 1),
    "arm-none-eabi-gcc (Arm GNU Toolchain 13.2.rel1 (Build arm-13.7)) 13.2.1 20231009": (13, 2, 1),
    "cc (Debian 12.2.0-14+deb12u1) 12.2.0": (12, 2, 0),
    "something else": (),
}


@pytest.mark.parametrize(("answer", "expected"), ANSWERS.items())
def test_versions_are_read(bare: Path, answer: str, expected: system.Version) -> None:
    program(bare, "qemu-system-arm", f"echo '{answer}'")
    assert system.version(QEMU) == expected


def test_a_missing_program_is_named(bare: Path) -> None:
    with pytest.raises(
        TicklabError, match=r"qemu-system-arm \(runs images for Armv7-M\) is not on PATH"
    ):
        system.require(QEMU)


def test_an_old_program_is_named(bare: Path) -> None:
    program(bare, "qemu-system-arm", "echo 'QEMU emulator version 5.2.0'")
    with pytest.raises(TicklabError, match=r"version 5\.2\.0, and Ticklab needs 7\.2 or later"):
        system.require(QEMU)


def test_a_compiler_without_its_library_is_incomplete(bare: Path) -> None:
    program(bare, "arm-none-eabi-gcc", "echo nano.specs")
    with pytest.raises(TicklabError, match=r"incomplete; install .*libnewlib-arm-none-eabi"):
        system.require(system.compiler(tables.DEFAULT))


def test_packages_are_named_where_nothing_is_installed(bare: Path, home: Path) -> None:
    with pytest.raises(TicklabError, match="install qemu-system-arm gcc-arm-none-eabi lib"):
        system.provide(Log(home / "system.log"), system.always())


def test_packages_are_installed_by_apt(
    bare: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("TICKLAB_NO_INSTALL")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    program(bare, "sudo", 'echo "sudo $*"')
    program(bare, "apt-get", "exit 9")
    for name in ("echo", "env"):
        (bare / name).symlink_to(shutil.which(name, path="/usr/bin:/bin") or "")
    monkeypatch.setattr(system, "_lists_are_read", threading.Event())
    log = Log(home / "apt.log")
    system.install(log, ["one", "two"])
    system.install(log, ["three"])
    assert "installing system packages with apt: one two" in capfd.readouterr().err
    said = [line for line in log.path.read_text().splitlines() if line.startswith("sudo ")]
    words = [line.split("recommends ")[1] for line in said]
    assert words == ["update", "install one two", "install three"]


def test_the_identity_changes_with_the_programs(bare: Path) -> None:
    before = system.identity(system.always())
    program(bare, "qemu-system-arm", "true")
    assert system.identity(system.always()) != before


# --- Rust -----------------------------------------------------------------------------------------


def test_a_recent_rust_is_found(bare: Path) -> None:
    program(bare, "cargo", "")
    program(bare, "rustc", "echo 'rustc 1.85.1 (4eb161250 2025-03-15)'")
    found = rust.find()
    assert found
    assert found.version == (1, 85)
    assert found.environment["RUSTC"] == str(bare / "rustc")


def test_an_old_rust_is_passed_over_for_a_newer_one(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = tmp_path / "cargo home"
    newer.mkdir()
    for folder, version in ((bare, "1.63.0"), (newer / "bin", "1.90.0")):
        program(folder, "cargo", "")
        program(folder, "rustc", f"echo 'rustc {version}'")
    monkeypatch.setenv("CARGO_HOME", str(newer))
    found = rust.find()
    assert found
    assert found.cargo == str(newer / "bin" / "cargo")


@pytest.mark.parametrize(
    ("policy", "search", "expected"),
    [
        ("rustc:1.85.0+dfsg3-1", "", ["rustc", "cargo"]),
        ("rustc:1.63.0+dfsg1-2 rustc-web:1.96.0+dfsg1", "", ["rustc-web", "cargo-web"]),
        ("rustc:1.75.0", "rustc-1.80 - x\nrustc-1.89 - x", ["rustc-1.89", "cargo-1.89"]),
    ],
)
def test_the_distribution_offers_rust(
    bare: Path, monkeypatch: pytest.MonkeyPatch, policy: str, search: str, expected: list[str]
) -> None:
    offers = dict(offer.split(":") for offer in policy.split())
    cases = "\n".join(f"{name}) echo '  Candidate: {v}';;" for name, v in offers.items())
    program(
        bare, "apt-cache", f'[ $1 = search ] && echo "{search}" && exit\ncase $2 in\n{cases}\nesac'
    )
    assert rust._packages() == expected


def test_without_any_rust_there_is_one_instruction(bare: Path) -> None:
    program(bare, "apt-cache", "")
    with pytest.raises(TicklabError, match=r"install Rust 1\.85 or later with rustup"):
        rust._packages()


# --- Sources and observer -------------------------------------------------------------------------


def test_only_the_manifests_own_crates_are_sources() -> None:
    packages = [
        {"id": name, "name": name.split("@")[0], "manifest_path": f"/r/{name}/Cargo.toml"}
        for name in ("root@0", "rt@1", "helper@1", "helper@2")
    ]
    nodes = [
        {"id": "root@0", "dependencies": ["rt@1"]},
        {"id": "rt@1", "dependencies": ["helper@1"]},
    ]
    metadata = {"packages": packages, "resolve": {"root": "root@0", "nodes": nodes}}
    assert steps._direct_dependencies(metadata) == {"rt": Path("/r/rt@1")}


@pytest.mark.parametrize(
    ("qemu", "interface"),
    [
        ((7, 2, 22), 1),
        ((8, 2), 1),
        ((9, 0), 2),
        ((9, 1), 3),
        ((10, 0, 2), 4),
        ((10, 1), 5),
        ((11, 0), 5),
    ],
)
def test_the_plugin_interface_follows_qemu(qemu: system.Version, interface: int) -> None:
    assert steps.plugin_interface(qemu) == interface


def test_a_link_without_target_is_fetched_again(home: Path) -> None:
    assert not steps._sources_present()
    (home / "sources").mkdir(parents=True)
    (home / "sources" / "rt").symlink_to(home)
    assert steps._sources_present()
    (home / "sources" / "freertos-next").symlink_to(home / "cleared")
    assert not steps._sources_present()


# --- Before the set-up ----------------------------------------------------------------------------

# Asks each command which set-up steps it needs, as the command line does before the set-up. Uses
# arguments with which `needs` reads files.
BEFORE = """
import sys
from ticklab import cli
parser = cli.parser()
for words in sys.argv[1:]:
    arguments = parser.parse_args(words.split())
    print(words, *sorted(set(cli._needs(cli._commands()[arguments.command], arguments))))
foreign = {"msgspec", "numpy", "rich", "duckdb", "jinja2", "elftools"} & set(sys.modules)
assert not foreign, foreign
"""


def test_every_command_names_its_needs_without_any_package(tmp_path: Path) -> None:
    baseline = tmp_path / "old.json"
    sealed.write_alone(baseline, {"schema": SCHEMA, "provenance": {"boards": {"ibex": {}}}})
    lines = [
        f"gate --baseline {baseline}",
        "run --board virt",
        "bench rtl",
        "test",
        "docs",
        "list kernels",
    ]
    # -S hides the packages of the Python environment
    command = [sys.executable, "-S", "-P", "-c", BEFORE, *lines]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "src")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    found = dict(zip(lines, done.stdout.splitlines(), strict=True))
    for words in ("gate", "bench rtl"):
        (answer,) = (text for line, text in found.items() if line.startswith(words))
        assert {"rv32", "rtl", "sources"} <= set(answer.split())
    assert "rv32" in found["run --board virt"].split()


def test_the_needs_of_each_board_are_those_of_its_description() -> None:
    for name, board in catalogue.boards().items():
        needs = set(tables.needs([name]))
        assert ("rtl" in needs) == isinstance(board.machine, Simulated)
        kernels = {each for each in needs if each.startswith("kernel-")}
        assert needs - kernels - {"rtl", "sources"} == {board.core.arch.name} - {tables.DEFAULT}


def test_an_architecture_without_a_key_of_the_set_up_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "platform" / "arch" / "mine"
    folder.mkdir(parents=True)
    (folder / "arch.toml").write_text('[arch]\ntitle = "Mine"\n[arch.compiler]\n')
    monkeypatch.setattr(paths, "CHECKOUT", tmp_path)
    with pytest.raises(UsageError, match=r"arch.toml: \[arch.compiler\] triple is missing"):
        system.compiler("mine")


def test_compiled_modules_are_kept_in_the_home_alone(tmp_path: Path) -> None:
    """Also with a relative home, and where the environment keeps Python from writing."""
    words = ["run", "--help"]
    (tmp_path / "its home").mkdir()  # help makes none
    environment = {name: text for name, text in os.environ.items() if "PYTHON" not in name}
    environment |= {"TICKLAB_HOME": "its home", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [str(paths.CHECKOUT / "ticklab"), *words]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    kept = [file for file in tmp_path.rglob("*.pyc") if file.name.startswith("cli.")]
    assert [file.relative_to(tmp_path).parts[:2] for file in kept] == [("its home", "bytecode")]
    assert str(paths.CHECKOUT) in str(kept[0])
