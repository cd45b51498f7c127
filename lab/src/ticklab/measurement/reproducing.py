# SPDX-License-Identifier: MIT
"""Collects the records, plans and images of a run for a bundle, and measures a run or a bundle
again."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ticklab import building
from ticklab.comparison import reproduction
from ticklab.comparison.reproduction import Reproduction
from ticklab.description.model import Case, Image, Record, Run, SamplePlan
from ticklab.errors import TicklabError
from ticklab.measurement import images, remeasure
from ticklab.measurement.progress import Bar, Lines
from ticklab.storage import baseline
from ticklab.storage.baseline import Baseline
from ticklab.storage.bundle import Bundle
from ticklab.storage.store import Store


def plan_of(store: Store, record: Record) -> SamplePlan:
    """Returns the plan (length of the observation) with which a record was measured."""
    return SamplePlan(**_determinants(store, str(record.measurement))["plan"])


def plans(store: Store, run: Run) -> Baseline:
    """Returns a run with the plan of each record, as a baseline without the instructions by
    function."""
    return baseline.make(run, lambda record: plan_of(store, record), lambda _: {})


def collect(
    store: Store,
    run: Run,
    folders: Mapping[str, str],
    jobs: int,
    progress: Bar | Lines,
    with_images: bool,
) -> Bundle:
    """Returns the bundle of a run, with its images, which are built again. `folders` has users'
    kernels by name. Raises TicklabError if an image differs from the measured one."""
    kept = plans(store, run)
    _require_figures(kept)
    counters = dict(_counters(store, kept))
    if not with_images:
        return Bundle(kept, {}, counters)
    pairs = remeasure.cases_of(kept, folders)
    toolchain = building.as_of(run.provenance["builds"])
    built = images.build(
        [case for case, _ in pairs],
        lambda ours: building.build(ours, toolchain, progress.building, jobs, progress.say),
    )
    found = zip(pairs, built, strict=True)
    same = {key: _same(store, case, key, image) for (case, key), image in found}
    return Bundle(kept, same, counters)


def _counters(store: Store, kept: Baseline) -> Iterator[tuple[str, Path]]:
    for key in {str(entry.record.measurement) for entry in kept.entries if entry.plan}:
        if file := store.counters(key):
            yield key, file


def _same(store: Store, case: Case, key: str, image: Image | TicklabError) -> Path:
    if isinstance(image, TicklabError):
        raise image
    if image.sha256 != _determinants(store, key)["image"]:
        raise TicklabError(
            f"the image of {case.variant.subject} in {case.scenario.name} is not the measured one",
            "its sources or tools have changed: measure again with 'run', or use --without-images",
        )
    return image.path


def again(
    kept: Baseline,
    images: Mapping[str, Path],
    folders: Mapping[str, str],
    jobs: int,
    progress: Bar | Lines,
    command: Sequence[str],
    counters: Mapping[str, Path] | None = None,
) -> Reproduction:
    """Measures every record with figures again, with an empty store, so that no figure is looked
    up. The keys of `images` and `counters` are keys of measurements; a measurement with counters is
    computed again from them."""
    _require_figures(kept)
    with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        run = remeasure.measure_again(
            kept, folders, Store(Path(scratch)), jobs, progress, command, images, counters
        )
    origins = (kept.run.provenance, run.provenance)
    return reproduction.compare(kept.run.records, run.records, origins)


def _require_figures(kept: Baseline) -> None:
    if not any(entry.plan for entry in kept.entries):
        raise TicklabError(
            f"run {kept.run.id} has no figures to measure again", "name a run that has some"
        )


def _determinants(store: Store, key: str) -> Mapping[str, Any]:
    measured = store.measurement(key)
    if measured is None:
        raise TicklabError(f"measurement {key} is not in the store", "measure it again with 'run'")
    return measured.determined_by
