# SPDX-License-Identifier: MIT
"""Measures the cases of a baseline again: with images that are built today, or with given
images."""

from __future__ import annotations

import lzma
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import msgspec

from ticklab import building
from ticklab.building import footprint
from ticklab.comparison import means
from ticklab.description import catalogue
from ticklab.description.folders import KERNELS
from ticklab.description.model import Case, Image, Run
from ticklab.errors import TicklabError, UsageError
from ticklab.measurement import campaign, cases, environment, provenance
from ticklab.measurement.environment import Environment
from ticklab.measurement.progress import Bar, Lines
from ticklab.storage.baseline import Baseline
from ticklab.storage.store import Store, new_run_id
from ticklab.targets.protocol import Cancel, Target
from ticklab.targets.replay import Replay


def measure_again(
    kept: Baseline,
    folders: Mapping[str, str],
    store: Store,
    jobs: int,
    progress: Bar | Lines,
    command: Sequence[str],
    images: Mapping[str, Path] | None = None,
    counters: Mapping[str, Path] | None = None,
) -> Run:
    """Measures the cases of the baseline that have figures, and stores them as a run.

    `folders` has users' kernels, or files of images, by name; `command` is the command line. The
    keys of `images` and `counters` are keys of measurements. A measurement in `images` uses that
    image: nothing is built, and conformance is not checked, because it needs other images. A
    measurement in `counters` is not observed but computed again from the counters."""
    _require_origin(kept)
    boards = kept.run.provenance["boards"]
    pairs = cases_of(kept, {**folders, **_image_files(kept, images or {})})
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
        keeps_image=lambda case: bool(case.variant.kernel.image),
        finds_work=lambda _: any(entry.record.work for entry in kept.entries),
        toolchain=None if images else building.as_of(kept.run.provenance["builds"]),
    )
    if images:
        given = {_key(case): _image(kept, case, images[key]) for case, key in pairs}
        lab = replace(lab, build=lambda of: [given[_key(case)] for case in of], conformance=())
    if counters:
        lab = replace(lab, target=_replaying(lab, pairs, counters), conformance=())
    result = campaign.measure(lab, wanted, progress, Cancel())
    if result.not_stored or result.not_explained:
        raise result.not_stored or result.not_explained  # type: ignore[misc]
    origin = provenance.describe(wanted, profiles, lab.target, result.builds, command)
    suites = catalogue.suites({record.suite for record in result.records})
    computed = means.records(result.records, list(suites.values()), result.lanes)
    sizes = {} if images else footprint.by_build(result.images)
    origin = {**origin, "footprints": sizes}
    run = Run(new_run_id(), origin, (*result.records, *computed), result.lanes)
    store.add_run(run)
    return run


def _replaying(
    lab: Environment, pairs: Sequence[tuple[Case, str]], counters: Mapping[str, Path]
) -> Callable[[Case], Target]:
    """Returns a function that finds the target of a case. The target of a case with counters
    returns the log in the counters."""
    files = {_key(case): counters[key] for case, key in pairs if key in counters}

    def target(case: Case) -> Target:
        file = files.get(_key(case))
        return Replay(_unpacked(file), file.name[:12]) if file else lab.target(case)

    return target


def _unpacked(file: Path) -> bytes:
    try:
        return lzma.decompress(file.read_bytes())
    except lzma.LZMAError as error:
        what = f"the counters {file.name[:12]} are damaged: {error}"
        raise TicklabError(what, "get the file again") from error


class _Board(msgspec.Struct):
    clock_hz: Annotated[int, msgspec.Meta(ge=1)]
    profile: str | None


class _Origin(msgspec.Struct):
    """The entries of a run's provenance that are needed to measure the run again."""

    boards: dict[str, _Board]
    kernels: dict[str, dict[str, Any]]
    builds: dict[str, dict[str, Any]]


def _require_origin(kept: Baseline) -> None:
    """Raises an error if the provenance of a run does not describe the board, the kernel or the
    build of a record."""
    try:
        origin = msgspec.convert(kept.run.provenance, _Origin)
    except msgspec.ValidationError as error:
        raise _without_origin(kept, str(error)) from error
    for one in (entry.record for entry in kept.entries if entry.plan):
        build = f"{one.kernel}/{one.config}/{one.optimise}/{one.board}"
        if one.board not in origin.boards or one.kernel not in origin.kernels:
            raise _without_origin(kept, f"nothing about {one.kernel} on {one.board}")
        if build not in origin.builds:
            raise _without_origin(kept, f"no build {build}")


def _without_origin(kept: Baseline, what: str) -> TicklabError:
    return TicklabError(
        f"the provenance of run {kept.run.id} is incomplete: {what}",
        "measure again with 'ticklab run', and save or bundle that run",
    )


def _image_files(kept: Baseline, images: Mapping[str, Path]) -> dict[str, str]:
    """Returns the file of each image that Ticklab did not build, by its name in the records."""
    kernels = kept.run.provenance["kernels"]
    records = (entry.record for entry in kept.entries if entry.plan)
    return {
        one.kernel: str(images[str(one.measurement)])
        for one in records
        if "image" in kernels[one.kernel] and str(one.measurement) in images
    }


def cases_of(kept: Baseline, folders: Mapping[str, str]) -> list[tuple[Case, str]]:
    """Returns the cases of the baseline, each with the key of its measurement. Spans that are
    measured in one run belong to one case."""
    found: dict[object, tuple[Case, str]] = {}
    for entry in kept.entries:
        if entry.plan is None:
            continue
        one = entry.record
        if not (one.kernel in folders or "image" in kept.run.provenance["kernels"][one.kernel]):
            _require_kernel(one.kernel)
        case = cases.restore(kept.run, one, entry.plan, folders.get(one.kernel))
        found.setdefault(_key(case), (case, str(one.measurement)))
    return list(found.values())


def _require_kernel(name: str) -> None:
    if name not in KERNELS.every():
        raise UsageError(
            f"kernel '{name}' is not in this checkout", "name its folder with --kernel FOLDER"
        )


def _image(kept: Baseline, case: Case, path: Path) -> Image:
    return Image(path, path.name, kept.run.provenance["builds"][case.variant.build])


def _key(case: Case) -> tuple[object, ...]:
    scenario = (case.scenario.suite, case.scenario.name, *sorted(case.scenario.params.items()))
    return (case.variant.build, case.variant.layout, *scenario)
