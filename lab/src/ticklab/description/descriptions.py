# SPDX-License-Identifier: MIT
"""Finds kernel.toml, board.toml, profile.toml and suite.toml, and reads all but the first, which
kernel.py reads. docs/reference/descriptions.md explains the keys.

The first mistake refuses the whole description: a measurement by half a description would measure
something else. No kernel, board or suite is known here by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from ticklab import names, paths
from ticklab.description import fields, toml_table
from ticklab.description.board import read_board as read_board
from ticklab.description.features import FEATURES
from ticklab.description.formulas import Loss, Mean
from ticklab.description.kernel import features
from ticklab.description.kernel import read_kernel as read_kernel
from ticklab.description.model import (
    Board,
    Config,
    Expectation,
    Kernel,
    PackageSource,
    Profile,
    SamplePlan,
    Scenario,
    Span,
    Suite,
    Sweep,
    Workload,
)
from ticklab.description.plot import Plot
from ticklab.description.span import ENTRIES, ENTRY, TICKS
from ticklab.description.toml_table import Table
from ticklab.errors import UsageError

Description = TypeVar("Description", Kernel, Board, Suite)

_PARAM = re.compile(r"[a-z][a-z0-9_]*")
_MARK = re.compile(r"[A-Za-z0-9_.*-]+")


# --- Finding --------------------------------------------------------------------------------------


def kernels() -> dict[str, Kernel]:
    """Returns the kernels of this checkout, by name."""
    return _all("kernels", "kernel.toml", read_kernel)


def boards() -> dict[str, Board]:
    return _all("platform/boards", "board.toml", read_board)


def suites() -> dict[str, Suite]:
    return _all("bench/suites", "suite.toml", read_suite)


def profiles() -> dict[str, Profile]:
    """Returns the timing profiles of this checkout, by name."""
    return {name: read_profile(file) for name, file in _profile_files().items()}


def find_kernel(name: str) -> Kernel:
    """Returns a kernel of this checkout by its name, or any kernel by its folder."""
    return _find("kernel", name, "kernels", "kernel.toml", read_kernel)


def find_board(name: str) -> Board:
    return _find("board", name, "platform/boards", "board.toml", read_board)


def find_suite(name: str) -> Suite:
    return _find("suite", name, "bench/suites", "suite.toml", read_suite)


def find_profile(name: str) -> Profile:
    """Returns a timing profile of this checkout by its name, or any profile by its file."""
    if name.endswith(".toml"):
        return read_profile(Path(name))
    return read_profile(names.choose("timing profile", name, _profile_files()))


def timing(board: Board, wanted: str | None) -> str | None:
    """Returns the name of the profile by which cycles are modelled: `wanted`, or that of the board.
    None if the cycles are clocked, or there is no model of the core."""
    if board.machine.is_clocked:
        return None
    if wanted and not board.core.has_cycle_model:
        raise UsageError(
            f"core {board.core.name} of board {board.name} has no cycle model",
            "leave --profile out, or choose another --board",
        )
    return (wanted or board.profile) if board.core.has_cycle_model else None


def find_config(kernel: Kernel, name: str) -> Config:
    """Returns a configuration of `kernel` by its name, or a user's header by its path."""
    if name not in kernel.configs and (Path(name).suffix == ".h" or Path(name).exists()):
        return _own_config(kernel, Path(name))
    return names.choose(f"configuration of {kernel.name}", name, kernel.configs)


def _own_config(kernel: Kernel, header: Path) -> Config:
    if not header.is_file():
        raise UsageError(f"no configuration file {header}", "give the path of a C header")
    if not kernel.configs["default"].header.is_file():
        raise UsageError(
            f"kernel '{kernel.name}' takes no configuration file", "leave out --config"
        )
    defines = kernel.configs["default"].defines
    return Config(str(header), header.resolve(), "the user's own", defines)


def _profile_files() -> dict[str, Path]:
    files = sorted((paths.CHECKOUT / "platform" / "profiles").glob("*.toml"))
    return {file.stem: file for file in files}


def _all(parent: str, file: str, read: Callable[[Path], Description]) -> dict[str, Description]:
    return {name: read(folder) for name, folder in _folders(parent, file).items()}


def _folders(parent: str, file: str) -> dict[str, Path]:
    found = (paths.CHECKOUT / parent).glob(f"*/{file}")
    return {description.parent.name: description.parent for description in sorted(found)}


def _find(
    kind: str, name: str, parent: str, file: str, read: Callable[[Path], Description]
) -> Description:
    known = _folders(parent, file)
    if name not in known and (Path(name) / file).is_file():
        return read(Path(name).resolve())
    if name not in known and Path(name).is_dir():
        raise UsageError(
            f"folder {name} has no {file}",
            "see docs/reference/descriptions.md for what it must hold",
        )
    return read(names.choose(kind, name, known))


# --- profile.toml ---------------------------------------------------------------------------------


def read_profile(file: Path) -> Profile:
    """Reads the name and title. The cycle model reads and checks the rest."""
    whole = toml_table.read(file)
    return Profile(file.stem, whole.text("title"), whole.entries)


# --- suite.toml -----------------------------------------------------------------------------------


def read_suite(folder: Path) -> Suite:
    whole = toml_table.read(folder / "suite.toml")
    table = whole.table("suite")
    name = fields.name(table, "name")
    workload = _workload(whole)
    suite = Suite(
        name=name,
        title=table.text("title"),
        source=table.text("source"),
        folder=folder,
        scenarios=tuple(
            replace(_scenario(row, name, folder), workload=workload)
            for row in whole.rows("scenario")
        ),
        means=tuple(_mean(row) for row in whole.rows("mean", ())),
        losses=tuple(_loss(row) for row in whole.rows("loss", ())),
    )
    suite = replace(suite, plots=tuple(_plot(row, suite) for row in whole.rows("plot", ())))
    _unique(whole, suite)
    _check_computed(whole, suite)
    table.end()
    whole.end()
    return suite


def _unique(whole: Table, suite: Suite) -> None:
    seen = set()
    for scenario in suite.scenarios:
        if scenario.name in seen:
            whole.fail("scenario", f"has '{scenario.name}' twice", "give each its own name")
        seen.add(scenario.name)


def _mean(table: Table) -> Mean:
    terms = [text.split("+") for text in table.texts("of")]
    mean = Mean(
        fields.name(table, "name"),
        tuple(tuple(_scenario_and_span(table, each) for each in term) for term in terms),
    )
    table.end()
    return mean


def _plot(table: Table, suite: Suite) -> Plot:
    """Reads a variant; parameters that it does not name have their first value."""
    known = {scenario.name: scenario for scenario in suite.scenarios}
    of = known[table.choice("scenario", tuple(known))]
    x = table.choice("x", tuple(of.values))
    chosen = table.mapping("where")
    for name in chosen:
        if name not in of.values:
            table.fail("where", f"names '{name}'", names.suggestion(name, of.values))
    plot = Plot(
        table.text("title"),
        of.name,
        x,
        {name: chosen.get(name, of.params[name]) for name in of.values if name != x},
        table.number("bytes", default=0),
    )
    table.end()
    return plot


def _loss(table: Table) -> Loss:
    of, less, work = (_scenario_and_span(table, table.text(key)) for key in ("of", "less", "work"))
    loss = Loss(fields.name(table, "name"), of, less, table.number("times", minimum=1), work)
    table.end()
    return loss


def _scenario_and_span(table: Table, text: str) -> tuple[str, str]:
    scenario, slash, span = text.partition("/")
    return (scenario, span) if slash else table.fail("of", f"has '{text}'", "write SCENARIO/SPAN")


def _check_computed(whole: Table, suite: Suite) -> None:
    known = {(each.name, span.name) for each in suite.scenarios for span in each.spans}
    every: tuple[Mean | Loss, ...] = (*suite.means, *suite.losses)
    for computed in every:
        kind = "loss" if isinstance(computed, Loss) else "mean"
        for scenario, span in computed.spans:
            if (scenario, span) not in known:
                whole.fail(kind, f"{computed.name} is of {scenario}/{span}", "no scenario has it")


def _of_the_source(table: Table, key: str) -> tuple[str, ...]:
    """Reads files and folders of a package. Files of this checkout belong to scenarios."""
    named = table.texts(key)
    for name in named:
        if not name.startswith("@/"):
            table.fail(key, f"names {name}", "write @/ for the source's folder")
    return named


def _workload(whole: Table) -> Workload | None:
    if "workload" not in whole:
        whole.table("workload", optional=True)
        return None
    table = whole.table("workload")
    source = table.table("source")
    workload = Workload(
        source=PackageSource(source.text("package"), source.text("version"), source.text("folder")),
        sources=_of_the_source(table, "sources"),
        includes=_of_the_source(table, "includes"),
        defines=table.mapping("defines"),
        flags=table.texts("flags", ()),
        marks=table.mapping("marks"),
        unit=table.text("unit"),
    )
    source.end()
    table.end()
    return workload


def _scenario(table: Table, suite: str, folder: Path) -> Scenario:
    services = fields.services(table)
    scenario = Scenario(
        name=fields.name(table, "name"),
        suite=suite,
        file=fields.file(table, "file", folder),
        services=services,
        features=features(table, services),
        proves=_proves(table),
        spans=_spans(table),
        expect=_expectation(table),
        plan=read_plan(table),
        threads=_marks(table, "threads", ()),
        score=table.flag("score", False),
        rate=table.flag("rate", False),
        exercises_kernel=table.flag("exercises_kernel", True),
        sweep=_sweep(table),
        values=_values(table),
    )
    scenario = replace(scenario, grid=_grid(table, scenario))
    table.end()
    return replace(scenario, params={name: each[0] for name, each in scenario.values.items()})


def _proves(table: Table) -> frozenset[str]:
    """Reads the services and features that a kernel has if it passes."""
    named = table.texts("proves", ())
    known = fields.SERVICES.union(FEATURES)
    for name in named:
        if name not in known:
            table.fail("proves", f"names '{name}'", names.suggestion(name, known))
    return frozenset(named)


def _values(table: Table) -> dict[str, tuple[str, ...]]:
    """Reads the parameters, which the compiler gets as macros."""
    values = table.alternatives("params")
    for name in values:
        if not _PARAM.fullmatch(name):
            table.fail("params", f"names '{name}'", "use lower-case letters, digits and '_'")
    return values


def _grid(table: Table, scenario: Scenario) -> tuple[tuple[str, ...], ...]:
    """Reads sets of parameters that vary together."""
    sets = table.lists("grid")
    for name in (name for each in sets for name in each):
        if name not in scenario.values:
            table.fail("grid", f"names '{name}'", names.suggestion(name, scenario.values))
    return sets


def _spans(table: Table) -> tuple[Span, ...]:
    spans = tuple(read_span(name, row) for name, row in table.tables("span"))
    return spans or table.fail("span", "is missing", "name what is measured: [scenario.span.NAME]")


def read_span(name: str, table: Table) -> Span:
    each = _marks(table, "each", ())
    if bool(each) == ("from" in table or "to" in table):
        table.fail("each", "or from and to", "a span has either of the two")
    start = None if each else _mark(table, "from", table.text("from"))
    end = None if each else _mark(table, "to", table.text("to"))
    ticks = table.choice("ticks", TICKS) if "ticks" in table else None
    table.end()
    return Span(name, each, start, end, ticks)


def _expectation(table: Table) -> Expectation:
    expect = table.table("expect", optional=True)
    found = Expectation(
        _marks(expect, "order", ()),
        read_number_or_any(expect, "external", 0),
        read_number_or_any(expect, "faults", 0),
    )
    expect.end()
    return found


def read_number_or_any(table: Table, name: str, default: int | None) -> int | None:
    """Reads a number; None stands for any number, which is written "any"."""
    if table.entries.get(name) == "any":
        table.text(name)
        return None
    return table.number(name, default=0) if name in table or default is not None else None


def read_plan(table: Table) -> SamplePlan:
    plan = table.table("plan")
    found = SamplePlan(
        warm_up=plan.number("warm_up"),
        samples=plan.number("samples", minimum=1),
        ticks=plan.number("ticks", default=0),
    )
    plan.end()
    return found


def _sweep(table: Table) -> Sweep | None:
    if "sweep" not in table:
        table.table("sweep", optional=True)
        return None
    sweep = table.table("sweep")
    found = Sweep(sweep.text("handlers"))
    sweep.end()
    return found


def _marks(table: Table, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_mark(table, key, name) for name in table.texts(key, default))


def _mark(table: Table, key: str, name: str) -> str:
    if not _MARK.fullmatch(name):
        table.fail(
            key, f"names mark '{name}'", "marks have letters, digits, '-', '_' and '.'; '*' is any"
        )
    kind = name.removeprefix(ENTRY)
    if kind != name and kind not in ENTRIES:
        table.fail(key, f"names mark '{name}'", names.suggestion(kind, ENTRIES))
    return name
