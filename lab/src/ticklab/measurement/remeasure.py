# SPDX-License-Identifier: MIT
"""Measures the cases of a baseline again, as they are built today or from given images."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ticklab import building
from ticklab.comparison import means
from ticklab.description import catalogue
from ticklab.description.model import Case, Image, Run
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
    images: Mapping[str, Path] | None = None,
) -> Run:
    """Measures and records the cases of the baseline that have figures, and adds them to the store
    as a run. `folders` are those of users' kernels, by name, or the files of images; `command` is
    the command line. With `images`, by key of the measurement, nothing is built, and conformance,
    which needs other images, is not checked."""
    boards = kept.run.provenance["boards"]
    pairs = cases_of(kept, folders)
    wanted = [case for case, _ in pairs]
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
    if images:
        given = {_key(case): _image(kept, case, images[key]) for case, key in pairs}
        lab = replace(lab, build=lambda of: [given[_key(case)] for case in of], conformance=())
    result = campaign.measure(lab, wanted, progress, Cancel())
    if result.not_stored or result.not_recorded:
        raise result.not_stored or result.not_recorded  # type: ignore[misc]
    origin = provenance.describe(wanted, profiles, lab.target, result.builds, command)
    computed = means.records(result.records, list(catalogue.suites().values()), result.lanes)
    run = Run(new_run_id(), origin, (*result.records, *computed), result.lanes)
    store.add_run(run)
    return run


def cases_of(kept: Baseline, folders: Mapping[str, str]) -> list[tuple[Case, str]]:
    """Returns the cases of the baseline, each with the key of its measurement; spans that are
    measured together share one case."""
    found: dict[object, tuple[Case, str]] = {}
    for entry in kept.entries:
        if entry.plan is None:
            continue
        one = entry.record
        case = cases.restore(kept.run, one, entry.plan, folders.get(one.kernel))
        found.setdefault(_key(case), (case, str(one.measurement)))
    return list(found.values())


def _image(kept: Baseline, case: Case, path: Path) -> Image:
    return Image(path, path.name, kept.run.provenance["builds"][case.variant.build])


def _key(case: Case) -> tuple[object, ...]:
    scenario = (case.scenario.suite, case.scenario.name, *sorted(case.scenario.params.items()))
    return (case.variant.build, case.variant.layout, *scenario)
