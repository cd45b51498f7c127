# SPDX-License-Identifier: MIT
"""The items that run one program each: formatters, linters, the type check, cargo's tests."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ticklab import paths
from ticklab.bootstrap import rust, system, tables
from ticklab.bootstrap.steps import plugin_interface
from ticklab.errors import TicklabError
from ticklab.quality import rules
from ticklab.quality.item import CheckError, Item, ItemOptions, program

Command = Sequence[str | Path]

LAB = paths.CHECKOUT / "lab"
_RTL = paths.CHECKOUT / "rtl"
# Python code outside lab/, in folders, and in programs without a suffix.
_PROGRAMS = ("bulkhead", "kernels", "rtl", "rtl/simulator")
_PYTHON = ("lab", "bulkhead", "kernels", "rtl")


def fix() -> list[str]:
    """Runs the formatters and the generator of rtl/PROPERTIES.md. Returns the violations that they
    cannot fix."""
    commands: list[tuple[Command, Mapping[str, str]]] = [
        (_ruff("check", "--fix", "--quiet"), {}),
        (_ruff("format", "--quiet"), {}),
        (_rustfmt(), _rust().environment),
        (_clang_format("-i"), {}),
        ([paths.tool("python"), "-P", "-m", "tools.properties"], {"PYTHONPATH": str(_RTL)}),
    ]
    return [violation for violation in (_quoted(*each) for each in commands) if violation]


def items(choice: ItemOptions) -> Iterator[Item]:
    yield Item("rules", _rules, [""], seconds=3, fast=True)
    yield _item("spelling", _codespell, [""], seconds=2)
    yield _item("python-format", lambda: _ruff("format", "--check"), _PYTHON, seconds=2)
    lint = ("check", "--output-format=concise")
    yield _item("python-lint", lambda: _ruff(*lint), _PYTHON, seconds=2)
    yield _item("python-types", _mypy, _PYTHON, seconds=15)
    yield _item("c-format", lambda: _clang_format("--dry-run", "-Werror"), [""], seconds=1)
    yield from _of_rust(choice)


def _of_rust(choice: ItemOptions) -> Iterator[Item]:
    tools = ["cargo", "rustc"]
    inputs = ["observer", "platform"]
    yield _item("rust-format", lambda: _rustfmt("--check"), [""], tools)
    yield _item("rust-lint", lambda: _cargo_test("--no-run"), inputs, tools, seconds=40)
    yield _item(
        "rust-tests",
        lambda: _cargo_test(*(("--", "--include-ignored") if choice.long else ())),
        inputs,
        [*tools, "qemu-system-arm", "arm-none-eabi-gcc"],
        seconds=17,
        fast=False,
        after=["rust-lint"],  # which builds the tests
        options=f"long={choice.long}",
    )


def _cargo_test(*more: str) -> Command:
    manifest = paths.CHECKOUT / "observer" / "Cargo.toml"
    words = [f"--manifest-path={manifest}", "--quiet", *_rust_options(), *more]
    return [_rust().cargo, "test", *words]


def _linted() -> Mapping[str, str]:
    """Returns an environment in which cargo builds with clippy in place of the compiler, so that
    the linter and the tests need one build. A warning is an error."""
    driver = _component("clippy", "clippy-driver")
    flags = {"RUSTFLAGS": "-Dwarnings", "RUSTC_WORKSPACE_WRAPPER": driver}
    return {**_rust().environment, **flags}


def _item(
    name: str,
    command: Callable[[], Command],
    inputs: Sequence[str],
    tools: Sequence[str] = (),
    seconds: float = 2,
    fast: bool = True,
    after: Sequence[str] = (),
    options: str = "",
) -> Item:
    def run(_folder: Path) -> str:
        more = _linted() if name in ("rust-lint", "rust-tests") else {}
        return program(command(), LAB, _environment(more))

    return Item(name, run, inputs, tools, seconds, fast, after, options)


def _rules(_folder: Path) -> str:
    broken = list(rules.violations())
    if broken:
        raise CheckError("\n".join(broken))
    return ""


def _environment(more: Mapping[str, str]) -> Mapping[str, str]:
    return {**os.environ, **more}


def _quoted(command: Command, more: Mapping[str, str]) -> str:
    """Runs a program. Returns its output if it fails, otherwise an empty text."""
    result = subprocess.run(
        [str(word) for word in command],
        cwd=LAB,
        env=_environment(more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    failed = f"{command[0]} failed with status {result.returncode}"
    return (result.stdout.strip() or failed) if result.returncode else ""


def _codespell() -> Command:
    files = (file for file in rules.files() if file.name not in rules.GENERATED)
    return [paths.tool("codespell"), "--toml=pyproject.toml", *files]


def _mypy() -> Command:
    """Returns the command that checks the types of all Python code. Module names are unique in the
    repository."""
    cache = f"--cache-dir={paths.home() / 'mypy'}"
    words = ["-m", "mypy", cache, "--config-file=pyproject.toml", "--scripts-are-modules"]
    return [paths.tool("python"), "-P", *words, "src", "tests", *_outside()]


def _outside() -> list[Path]:
    """Returns the Python programs outside lab/."""
    places = [paths.CHECKOUT / name for name in _PROGRAMS]
    return [place for place in places if place.is_file()] + [
        file for file in rules.files(".py") if any(place in file.parents for place in places)
    ]


def _ruff(*words: str) -> Command:
    """Returns the ruff command that checks every Python file of the checkout with one set of
    rules."""
    cache = paths.home() / "ruff"
    every: Command = [".", *(paths.CHECKOUT / name for name in _PROGRAMS)]
    return [paths.tool("ruff"), *words, "--config=pyproject.toml", "--cache-dir", cache, *every]


def _clang_format(*words: str) -> Command:
    return [paths.tool("clang-format"), *words, *rules.files(".c", ".h", ".cpp", ".hpp")]


def _rust() -> rust.Rust:
    found = rust.find()
    if found is None:
        raise TicklabError("no Rust 1.85 or later", "run './ticklab doctor'")
    return found


def _rustfmt(*words: str) -> Command:
    """Returns the command that formats all Rust files, including those outside cargo's
    workspaces."""
    return [_component("rustfmt"), "--edition=2021", *words, *rules.files(".rs")]


def _component(name: str, program: str | None = None) -> str:
    """Returns the path of a component of the Rust toolchain. Its program may have another name."""
    found = shutil.which(program or name, path=_rust().environment["PATH"])
    if found is None:
        hint = f"try 'rustup component add {name}', or the system's package of it"
        raise TicklabError(f"this Rust has no {name}", hint)
    return found


def _rust_options() -> list[str]:
    """Returns the options with which the set-up calls cargo, so that both share one folder of
    builds."""
    interface = plugin_interface(system.require(system.emulator(tables.DEFAULT)))
    features = ["--no-default-features", f"--features=plugin-api-v{interface}"]
    target = f"--target-dir={paths.plugin().parent}"
    return ["--workspace", "--locked", "--ignore-rust-version", target, *features]
