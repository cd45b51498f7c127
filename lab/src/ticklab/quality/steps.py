# SPDX-License-Identifier: MIT
"""The steps of `ticklab test`, in order of cost. A step is a function that returns its
complaint."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ticklab import paths
from ticklab.bootstrap import rust, system
from ticklab.bootstrap.steps import plugin_interface
from ticklab.errors import TicklabError
from ticklab.quality import rules

Command = Sequence[str | Path]

# Timeouts of one test, in seconds. A test that exceeds its timeout ends the run, which prints the
# test's stack.
_STUCK_S = 300
_STUCK_LONG_S = 1800

# Folders with Python outside lab/.
_PROGRAMS = ("bulkhead", "bulkhead/check", "kernels", "rtl")


@dataclass(frozen=True)
class Step:
    name: str
    what: str
    run: Callable[[bool], str]  # takes whether long tests are wanted; returns "" on success


def fix() -> list[str]:
    """Runs the formatters, which change files, and returns their complaints."""
    complaints = [
        _program(_ruff("check", "--fix", "--quiet")),
        _program(_ruff("format", "--quiet")),
        _program(_cargo("fmt", "--all"), _rust().environment),
        _program(_clang_format("-i")),
    ]
    return [complaint for complaint in complaints if complaint]


def _rules(_long: bool) -> str:
    return "\n".join(rules.complaints())


def _python_format(_long: bool) -> str:
    return _program(_ruff("format", "--check"))


def _python_lint(_long: bool) -> str:
    return _program(_ruff("check", "--output-format=concise"))


def _python_types(_long: bool) -> str:
    cache = f"--cache-dir={paths.home() / 'mypy'}"
    return _program([*_python("mypy"), cache, "--config-file=pyproject.toml", "src", "tests"])


def _c_format(_long: bool) -> str:
    return _program(_clang_format("--dry-run", "-Werror"))


def _rust_format(_long: bool) -> str:
    return _program(_cargo("fmt", "--all", "--check"), _rust().environment)


def _rust_lint(_long: bool) -> str:
    command = [*_cargo("clippy", "--all-targets", *_rust_options()), "--", "-D", "warnings"]
    return _program(command, _rust().environment)


def _rust_tests(long: bool) -> str:
    more = ["--", "--include-ignored"] if long else []
    return _program([*_cargo("test", "--quiet", *_rust_options()), *more], _rust().environment)


def _python_tests(long: bool) -> str:
    choice = [] if long else ["-m", "not long"]
    stuck = f"faulthandler_timeout={_STUCK_LONG_S if long else _STUCK_S}"
    exits = "faulthandler_exit_on_timeout=true"
    return _program([*_python("pytest"), "-q", "-W", "error", "-o", stuck, "-o", exits, *choice])


def _bulkhead(long: bool) -> str:
    more = ["--long"] if long else []
    return _program([paths.tool("python"), "-P", paths.CHECKOUT / "bulkhead" / "check", *more])


def _rtl(long: bool) -> str:
    more = ["--long"] if long else []
    home = {"TICKLAB_HOME": str(paths.home())}
    return _program([paths.tool("python"), "-P", paths.CHECKOUT / "rtl" / "check", *more], home)


def _nodes(_long: bool) -> str:
    check = paths.CHECKOUT / "bulkhead" / "nodes" / "check"
    home = {"TICKLAB_HOME": str(paths.home())}
    return _program([paths.tool("python"), "-P", check], home)


STEPS = (
    Step("rules", "licence lines, widths and lengths of files", _rules),
    Step("python-format", "ruff format", _python_format),
    Step("python-lint", "ruff check", _python_lint),
    Step("c-format", "clang-format", _c_format),
    Step("rust-format", "cargo fmt", _rust_format),
    Step("python-types", "mypy --strict", _python_types),
    Step("rust-lint", "cargo clippy", _rust_lint),
    Step("rust-tests", "cargo test", _rust_tests),
    Step("bulkhead", "the kernel's pure parts, and its guarantees on the emulator", _bulkhead),
    Step("rtl", "the hardware: lint, random tests, proofs, mutants, booting", _rtl),
    Step("nodes", "the kernels of several nodes: services, isolation, bounds, models", _nodes),
    Step("python-tests", "pytest, with real images on the emulator", _python_tests),
)


def _program(command: Command, environment: Mapping[str, str] | None = None) -> str:
    """Runs `command` and returns its output if it fails, otherwise ""."""
    process = subprocess.Popen(
        command,
        cwd=paths.CHECKOUT / "lab",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={**os.environ, **(environment or {})},
        start_new_session=True,
    )
    try:
        said, _ = process.communicate()
    finally:
        _end(process)
    if not process.returncode:
        return ""
    return said.strip() or f"{command[0]} failed with status {process.returncode}"


def _end(process: subprocess.Popen[str]) -> None:
    """Kills the process group of a step, including the emulators that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _python(module: str) -> Command:
    return [paths.tool("python"), "-P", "-m", module]


def _ruff(*words: str) -> Command:
    """Returns the command that checks every Python program of the checkout by one set of rules."""
    cache = paths.home() / "ruff"
    every: Command = [".", *(paths.CHECKOUT / name for name in _PROGRAMS)]
    return [paths.tool("ruff"), *words, "--config=pyproject.toml", "--cache-dir", cache, *every]


def _clang_format(*words: str) -> Command:
    return [paths.tool("clang-format"), *words, *rules.files(".c", ".h", ".cpp")]


def _rust() -> rust.Rust:
    found = rust.find()
    if found is None:
        raise TicklabError("no Rust 1.85 or later", "run './ticklab doctor'")
    return found


def _cargo(subcommand: str, *words: str) -> Command:
    found = _rust()
    if subcommand in ("fmt", "clippy") and not shutil.which(f"cargo-{subcommand}", path=_places()):
        component = {"fmt": "rustfmt"}.get(subcommand, subcommand)
        hint = f"try 'rustup component add {component}', or the system's package of it"
        raise TicklabError(f"this Rust has no {component}", hint)
    manifest = paths.CHECKOUT / "observer" / "Cargo.toml"
    return [found.cargo, subcommand, f"--manifest-path={manifest}", *words]


def _places() -> str:
    return _rust().environment["PATH"]


def _rust_options() -> list[str]:
    """Returns the cargo options of set-up, so that both builds share one folder."""
    interface = plugin_interface(system.require(system.QEMU))
    features = ["--no-default-features", f"--features=plugin-api-v{interface}"]
    target = f"--target-dir={paths.plugin().parent}"
    return ["--workspace", "--locked", "--ignore-rust-version", target, *features]
