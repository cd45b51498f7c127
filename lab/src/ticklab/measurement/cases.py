# SPDX-License-Identifier: MIT
"""Expands a command line into cases: every kernel with its configurations, in every scenario.

Every option applies to all kernels; none applies to one kernel only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

from ticklab import names, paths
from ticklab.bootstrap.tables import EVERY
from ticklab.description import catalogue
from ticklab.description.fields import is_number
from ticklab.description.folders import KERNELS
from ticklab.description.levels import LEVELS, best_levels
from ticklab.description.model import (
    Board,
    Case,
    Config,
    Kernel,
    Record,
    Run,
    SamplePlan,
    Scenario,
    Suite,
    Variant,
)
from ticklab.description.suite import read_suite
from ticklab.errors import UsageError
from ticklab.measurement import images

BEST = "best"


@dataclass(frozen=True)
class CaseChoice:
    """The selections of a command line. Empty sequences and None stand for the defaults."""

    boards: Sequence[str]
    suites: Sequence[str]
    optimise: str
    kernels: Sequence[str] = ()
    scenarios: Sequence[str] = ()
    configs: Sequence[str] = ()
    # The values that the user chose for each parameter.
    params: Mapping[str, Sequence[str]] = field(default_factory=dict)
    samples: int | None = None
    layouts: int = 1
    clock_hz: int | None = None
    every_config: bool = False  # all configurations of the named kernels, in place of `configs`


def expand(choice: CaseChoice) -> list[Case]:
    """Returns the cases of a command line, grouped by kernel."""
    found = scenarios(choice)
    return [Case(variant, scenario) for variant in variants(choice) for scenario in found]


def variants(choice: CaseChoice) -> list[Variant]:
    """Returns the variants in which each scenario is measured."""
    boards = [catalogue.find_board(name) for name in choice.boards]
    named = list(_variants(choice))
    if not choice.every_config:
        for _, config in named:
            for board in boards:
                _check_core(config, board)
    return [
        Variant(kernel, config, board, level, choice.clock_hz or board.clock_hz, layout)
        for kernel, config in named
        for board in boards
        for level in levels(choice.optimise)
        for layout in range(choice.layouts)
        if (choice.kernels or runs_on(kernel, board)) and has_core(config, board)
    ]


def shard(every: Sequence[Case], part: int, of: int) -> list[Case]:
    """Returns shard number `part` of the cases, which are divided into `of` shards. All cases of a
    build are in the same shard, so that no two shards test the same port, and each has complete
    means."""
    builds = {name: n for n, name in enumerate(dict.fromkeys(c.variant.build for c in every))}
    if part > len(builds):
        raise UsageError(
            f"shard {part}/{of} has no case: there are {len(builds)} builds", "use fewer shards"
        )
    return [case for case in every if builds[case.variant.build] % of == part - 1]


def restore(run: Run, record: Record, plan: SamplePlan, kernel: str | None = None) -> Case:
    """Returns the case of a stored record, as today's descriptions define it. `kernel` is the
    folder of a kernel that is not in this checkout, or the file of an image."""
    clock_hz = run.provenance["boards"][record.board]["clock_hz"]
    origin = run.provenance["kernels"][record.kernel]
    if "image" in origin:
        case = images.restore(origin, record.board, record.scenario, clock_hz, kernel)
    else:
        case = _restored(record, clock_hz, kernel)
    return replace(case, scenario=replace(case.scenario, plan=plan))


def _restored(record: Record, clock_hz: int, kernel: str | None) -> Case:
    choice = CaseChoice(
        kernels=[kernel or record.kernel],
        boards=[record.board],
        suites=[record.suite],
        scenarios=[record.scenario],
        configs=[record.config],
        optimise=record.optimise,
        params={name: (value,) for name, value in record.params.items()},
        layouts=record.layout + 1,
        clock_hz=clock_hz,
    )
    return expand(choice)[-1]


def proving(case: Case) -> Case:
    """Returns the same case for the board on which its conformance is tested: the board runs the
    same image, in less time."""
    board = case.variant.board.conformance_board
    if board is None:
        return case
    scaled_hz = case.variant.clock_hz * board.clock_hz // case.variant.board.clock_hz
    return case.varied(board=board, clock_hz=scaled_hz)


def levels(optimise: str) -> Sequence[str]:
    if optimise == BEST:
        return best_levels()
    return [names.choose("optimisation level", optimise, {level: level for level in LEVELS})]


def conformance() -> tuple[Scenario, ...]:
    """Returns the conformance scenarios, which a port must pass before figures of its kernel are
    published. They give verdicts and no samples. Each kind of port interface has some of its
    own."""
    parts = ("", "/objects", "/nodes", "/thread-metric")
    folders = (f"conformance{part}" for part in parts)
    return tuple(scenario for folder in folders for scenario in _verdicts(folder))


def features() -> tuple[Scenario, ...]:
    """Returns the scenarios that show whether a kernel has a declared feature."""
    return _verdicts("features")


def _verdicts(folder: str) -> tuple[Scenario, ...]:
    suite = read_suite(paths.CHECKOUT / "bench" / folder)
    return tuple(replace(scenario, spans=()) for scenario in suite.scenarios)


def runs_on(kernel: Kernel, board: Board) -> bool:
    return board.core.name in kernel.cores


def _cores(board: Board) -> tuple[str, ...]:
    return (board.core.name, *board.other_cores)


def has_core(config: Config, board: Board) -> bool:
    return config.core is None or config.core in _cores(board)


def _check_core(config: Config, board: Board) -> None:
    if not has_core(config, board):
        raise UsageError(
            f"configuration {config.name} needs core {config.core}, not that of {board.name}",
            f"its core is {', or '.join(_cores(board))}",
        )


def _variants(choice: CaseChoice) -> Iterator[tuple[Kernel, Config]]:
    """Yields the kernels with their configurations. Raises an error if a named kernel lacks a
    chosen configuration; leaves out kernels without it that the user did not name. A kernel named
    as KERNEL/CONFIG is measured in that configuration only."""
    named = [_kernel(word) for word in choice.kernels]
    _check_names([kernel for kernel, _ in named])
    yield from ((kernel, catalogue.find_config(kernel, own)) for kernel, own in named if own)
    others = [kernel for kernel, own in named if not own]
    if choice.every_config:
        every = others if named else catalogue.kernels().values()
        yield from ((kernel, config) for kernel in every for config in kernel.configs.values())
    elif others or not named:
        yield from _configured(others, choice.configs)
    elif choice.configs:
        raise UsageError(
            "--config is given, but every kernel is named with its configuration",
            "leave out --config",
        )


def _kernel(word: str) -> tuple[Kernel, str]:
    """Reads the name of a kernel on the command line: KERNEL, FOLDER, KERNEL/CONFIG or
    FOLDER/CONFIG."""
    head, _, config = word.rpartition("/")
    if not head or Path(word).is_dir():
        return catalogue.find_kernel(word), ""
    if head not in KERNELS.every() and not Path(head, "kernel.toml").is_file():
        return catalogue.find_kernel(word), ""
    return catalogue.find_kernel(head), config


def _configured(named: Sequence[Kernel], configs: Sequence[str]) -> Iterator[tuple[Kernel, Config]]:
    kernels = named or list(catalogue.kernels().values())
    for name in configs:
        having = named or [k for k in kernels if name in k.configs]
        if not having:
            known = {config for kernel in kernels for config in kernel.configs}
            raise names.unknown("configuration", name, known)
        yield from ((kernel, catalogue.find_config(kernel, name)) for kernel in having)
    if not configs:
        by_default = ("default",) if named else ()
        yield from ((k, k.configs[name]) for k in kernels for name in k.ranked or by_default)


def _check_names(kernels: Sequence[Kernel]) -> None:
    """Raises an error if two kernels have the same name, because a record identifies its kernel by
    name."""
    folders: dict[str, Path] = {}
    for kernel in kernels:
        if folders.setdefault(kernel.name, kernel.folder) != kernel.folder:
            raise UsageError(
                f"two kernels are called '{kernel.name}'",
                f"give the kernel in {kernel.folder} another name in its kernel.toml",
            )


def scenarios(choice: CaseChoice) -> list[Scenario]:
    """Returns the scenarios in the order in which their suites declare them."""
    every = [scenario for suite in _suites(choice) for scenario in suite.scenarios]
    known = {scenario.name: scenario for scenario in every}
    for name in choice.scenarios:
        names.choose("scenario", name, known)
    wanted = choice.scenarios or known
    chosen = [scenario for scenario in every if scenario.name in wanted]
    _check_params(chosen, choice.params)
    return [variant for scenario in chosen for variant in _adapted(scenario, choice)]


def _suites(choice: CaseChoice) -> list[Suite]:
    """Expands `all` to every suite except sweeps, which take minutes."""
    if EVERY in choice.suites:
        suites = catalogue.suites().values()
        return [suite for suite in suites if not any(each.sweep for each in suite.scenarios)]
    return [catalogue.find_suite(name) for name in choice.suites]


def _check_params(scenarios: Sequence[Scenario], params: Mapping[str, Sequence[str]]) -> None:
    known = {name for scenario in scenarios for name in scenario.params}
    for name in params:
        if not known:
            raise UsageError(
                f"none of these scenarios has a parameter '{name}'", "leave out --param"
            )
        if name not in known:
            raise names.unknown("parameter", name, known)
    for scenario in scenarios:
        for name in params.keys() & scenario.values.keys():
            for value in params[name]:
                _check_value(name, value, scenario.values[name])


def _check_value(name: str, value: str, declared: Sequence[str]) -> None:
    """Raises an error unless the value of a parameter is declared, or is a number and the declared
    values are numbers."""
    if not (value in declared or (is_number(value) and is_number(declared[0]))):
        raise UsageError(f"parameter {name} is '{value}'", f"it may be {', '.join(declared)}")


def _adapted(scenario: Scenario, choice: CaseChoice) -> Iterator[Scenario]:
    """Yields the scenario once for each combination of parameter values, with the wanted number of
    samples. A sweep always has one sample for each instruction of the service."""
    wanted = None if scenario.sweep else choice.samples
    plan = replace(scenario.plan, samples=wanted or scenario.plan.samples)
    for params in _variations(scenario, choice.params):
        yield replace(scenario, params=params, plan=plan)


def _variations(
    scenario: Scenario, chosen: Mapping[str, Sequence[str]]
) -> Iterator[dict[str, str]]:
    """Yields the combinations of parameter values to measure: first every parameter at its first
    value; then each other value of each parameter, with the rest at their first values; then every
    combination of the parameters that the scenario varies together. Values that the user chose
    replace those of the scenario."""
    values = {name: chosen.get(name, of) for name, of in scenario.values.items()}
    base = {name: of[0] for name, of in values.items()}
    found = [base]
    for together in (*((name,) for name in values), *scenario.grid):
        combinations = product(*(values[name] for name in together))
        found += ({**base, **dict(zip(together, of, strict=True))} for of in combinations)
    yield from {tuple(each.items()): each for each in found}.values()
