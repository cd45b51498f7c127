# SPDX-License-Identifier: MIT
"""Describes the origin of a run's figures, in words that the views share.

The provenance of a run is a mapping without a fixed set of keys, because builds and observers add
to it. Entries that this module knows become sentences; every entry can be shown as rows of text
(`flat`).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ticklab.description.levels import LEVELS
from ticklab.description.model import Run
from ticklab.views import figures

_HASH = re.compile(r"[0-9a-f]{40}")
_LONGEST_VALUE = 60

GRADES = (
    (
        "counted",
        "Exact: what an unmodified QEMU executed, seen by our observer. Instructions hide what "
        "hardware does at an exception, so the exceptions stand beside them.",
    ),
    (
        "modelled",
        "The same execution through a cycle model of the core: ~low–high are bounds, and nothing "
        "between them is exact. A verdict holds in every corner of the model's assumptions, the "
        "same corner for both kernels, and by more than the mean of so many samples resolves; "
        "otherwise it is undecided.",
    ),
    (
        "clocked",
        "Exact: cycles of the simulated hardware, from the retirement of one mark's instruction to "
        "that of the next one's.",
    ),
)

# The legend below the tables: words and signs, each with its meaning.
LEGEND = (
    (
        "counted",
        "exact: instructions that QEMU executed; exc.: exceptions entered; port: instructions of "
        "the kernel's port. Means of the samples without a tick inside; those with one are in the "
        "JSON and the report.",
    ),
    (
        "modelled",
        "~low–high: bounds of a cycle model, no measurement. A verdict holds in every corner of "
        "its assumptions, the same corner for both kernels; otherwise it is undecided.",
    ),
    (
        "clocked",
        "exact: cycles of a simulation of the hardware, or of a board's own counter with those of "
        "the marks inside; with a tick inside or not as above.",
    ),
    (
        "fair",
        "yes: the threads' counts differ by 1 at most.   ·  not applicable   –  unsupported",
    ),
)


def headline(run: Run) -> Iterator[str]:
    """Yields the few facts about a run that a reader needs to judge any of its figures."""
    for name, board in run.provenance.get("boards", {}).items():
        yield f"{name}: {_board(board)}"
    for compiler, optimises in _compilers(run).items():
        yield f"{compiler}, {', '.join(optimises)}"
    tool = run.provenance.get("ticklab", {})
    if tool:
        commit, dash, dirty = str(tool.get("commit", "unknown")).partition("-")
        yield f"Ticklab {tool.get('version', 'unknown')}, commit {commit[:12]}{dash}{dirty}"
    if command := run.provenance.get("command"):
        yield f"command: {shlex.join(command)}"


def summary(run: Run, board: str) -> str:
    """Describes in a few words how the figures of a board were obtained: core, clock, timing
    profile."""
    known = run.provenance.get("boards", {}).get(board, {})
    clock = figures.hertz(known["clock_hz"]) if "clock_hz" in known else None
    compilers = (
        f"{_version(compiler)} {' '.join(levels)}" for compiler, levels in _compilers(run).items()
    )
    parts = (board, known.get("core"), clock, known.get("profile"), *compilers)
    return ", ".join(part for part in parts if part)


def _version(compiler: str) -> str:
    """Returns the name and version of a compiler, without its target and its packager."""
    return re.sub(r"^\S*-(?=gcc|clang)| \(.*\)| \d{8}$", "", compiler)


def _board(board: Mapping[str, Any]) -> str:
    parts = [str(board.get("core", "core unknown"))]
    if "clock_hz" in board:
        parts.append(f"at {figures.hertz(board['clock_hz'])}")
    if "tick_hz" in board:
        parts.append(f"with {board['tick_hz']:g} ticks a second")
    return " ".join(parts) + (
        f", timing profile {board['profile']}" if board.get("profile") else ""
    )


def _compilers(run: Run) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, build in run.provenance.get("builds", {}).items():
        level = key.split("/")[-2]
        optimise = f"-{level}" if level in LEVELS else level
        for compiler in _of_build(key, build):
            names = found.setdefault(compiler, [])
            if optimise not in names:
                names.append(optimise)
    return found


def _of_build(key: str, build: Mapping[str, Any]) -> Iterator[str]:
    """Yields the compiler of a build and, for a kernel in Rust, the Rust compiler."""
    yield str(build.get("compiler") or "compiler unknown")
    if of_kernel := build.get("rust", {}).get("compiler"):
        yield f"{of_kernel} for {key.partition('/')[0]}"


def flat(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yields the entries of nested provenance as rows of (path, text). A list of plain values
    becomes one row."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from flat(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, Sequence) and not isinstance(value, str):
        if any(isinstance(inner, Mapping | list | tuple) for inner in value):
            for index, inner in enumerate(value):
                yield from flat(inner, f"{name}[{index}]")
        else:
            yield name, " ".join(map(str, value))
    else:
        yield name, figures.yes_no(value) if isinstance(value, bool) else str(value)


def changes(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Returns the differences between the provenance of a build in two runs, as `PATH THEN -> NOW`.
    Hashes and commits come last, because the value of a macro says more than the hash of its file,
    and a version more than a commit."""
    before, after = dict(flat(then)), dict(flat(now))
    names = [n for n in dict.fromkeys((*before, *after)) if before.get(n) != after.get(n)]
    names.sort(key=lambda name: "sha256" in name or "commit" in name)
    return [f"{name} {_short(before.get(name))} -> {_short(after.get(name))}" for name in names]


def _short(value: str | None) -> str:
    """Returns the beginning of a value that suffices to distinguish it from other values."""
    text = value or "(none)"
    if _HASH.match(text):
        return text[:12] + text.partition("-")[1] + text.partition("-")[2]
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def changed_values(run: Run) -> list[str]:
    """Returns a line for each configuration whose macros have other values than the kernel's
    default configuration."""
    changes = {
        key.rsplit("/", 2)[0]: build["differs_from_default"]
        for key, build in run.provenance.get("builds", {}).items()
        if build.get("differs_from_default")
    }
    return [
        f"{name} differs from the default: {', '.join(f'{k} {v}' for k, v in values.items())}"
        for name, values in changes.items()
    ]


def configuration_differences(run: Run) -> dict[str, tuple[list[str], list[tuple[str, list[str]]]]]:
    """Returns, for each kernel with several builds, the names of the builds and the values in which
    they differ."""
    kernels: dict[str, dict[str, Mapping[str, Any]]] = {}
    for key, build in run.provenance.get("builds", {}).items():
        kernels.setdefault(key.split("/")[0], {})[key] = build.get("config", {})
    return {
        kernel: (list(builds), _unshared(list(builds.values())))
        for kernel, builds in kernels.items()
        if len(builds) > 1
    }


def _unshared(configs: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[str]]]:
    names = dict.fromkeys(name for config in configs for name in config)
    rows = [
        (name, [str(config.get(name, figures.NOTHING)) for config in configs]) for name in names
    ]
    return [(name, values) for name, values in rows if len(set(values)) > 1]
