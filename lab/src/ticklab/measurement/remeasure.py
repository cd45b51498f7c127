# SPDX-License-Identifier: MIT
"""Measures the cases of a baseline again, as they are built today."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ticklab import building
from ticklab.comparison import means
from ticklab.description import catalogue
from ticklab.description.model import Case, Run
from ticklab.measurement import campaign, cases, environment, provenance
from ticklab.measurement.progress import Bar, Lines
from ticklab.storage.baseline import Baseline
from ticklab.storage.store import Store, new_run_id
from ticklab.targets.protocol import Cancel


def measure_again(
    kept: Baseline,
    folders: Mapping[str, str],
    store: Store,
    jobs: int,
    progress: Bar | Lines,
    command: Sequence[str],
) -> Run:
    """Measures and records the cases of the baseline that have figures, and adds them to the store
    as a run. `folders` are those of users' kernels, by name; `command` is the command line."""
    boards = kept.run.provenance["boards"]
    wanted = _cases(kept, folders)
    profiles = {
        name: catalogue.find_profile(board["profile"]) if board["profile"] else None
        for name, board in boards.items()
    }
    store.open_for_writing()
    lab = environment.equip(
        store,
        profiles,
        jobs,
        progress,
        records=lambda _: True,
        toolchain=building.as_of(kept.run.provenance["builds"]),
    )
    result = campaign.measure(lab, wanted, progress, Cancel())
    if result.not_stored or result.not_recorded:
        raise result.not_stored or result.not_recorded  # type: ignore[misc]
    origin = provenance.describe(wanted, profiles, lab.target, result.builds, command)
    computed = means.records(result.records, list(catalogue.suites().values()), result.lanes)
    run = Run(new_run_id(), origin, (*result.records, *computed), result.lanes)
    store.add_run(run)
    return run


def _cases(kept: Baseline, folders: Mapping[str, str]) -> list[Case]:
    """Returns the cases of the baseline; spans that are measured together share one case."""
    found: dict[object, Case] = {}
    for entry in kept.entries:
        if entry.plan is None:
            continue
        one = entry.record
        case = cases.restore(kept.run, one, entry.plan, folders.get(one.kernel))
        found.setdefault(_key(case), case)
    return list(found.values())


def _key(case: Case) -> Iterable[object]:
    scenario = (case.scenario.suite, case.scenario.name, *sorted(case.scenario.params.items()))
    build_of = (
        case.variant.kernel.name,
        case.variant.config.name,
        case.variant.optimise,
        case.variant.board.name,
        case.variant.layout,
    )
    return (*build_of, *scenario)
