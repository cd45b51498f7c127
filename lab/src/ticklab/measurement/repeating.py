# SPDX-License-Identifier: MIT
"""Runs the case of a stored record again, so that its figures can be explained: the same image
under the same plan.

The image comes from the store (`run --record`) or the build cache, or is built again. It is an
error if this image differs from the measured one, or if the new run counts anything else, because
the explanation would not belong to the stored figures.

A run on simulated hardware cannot be explained. Its case is run on the board that runs the same
images in QEMU (`conformance_board` in board.toml): exactly the same instructions, with modelled
cycles.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from ticklab import building, digest, targets
from ticklab.building import Toolchain
from ticklab.comparison import compare
from ticklab.description import catalogue
from ticklab.description.model import Case, Image, Profile, Record, Run, SamplePlan
from ticklab.errors import TicklabError
from ticklab.explain import second_run
from ticklab.explain.second_run import FirstRun
from ticklab.measurement import campaign, cases, images, observation
from ticklab.storage.store import Measurement, Store
from ticklab.targets import keeper
from ticklab.targets.protocol import Cancel
from ticklab.targets.qemu import Qemu


@contextmanager
def repeated(
    store: Store, run: Run, record: Record, kernel: str | None = None
) -> Iterator[FirstRun]:
    """Runs the case of a record again and yields that run. `kernel` is the folder of a user's
    kernel."""
    hint = _again(run, record)
    known = store.measurement(str(record.measurement))
    if known is None:
        raise TicklabError(f"measurement {record.measurement} is not in the store", hint)
    kept = store.image(known.key)
    is_image = "image" in run.provenance["kernels"][record.kernel]
    plan = SamplePlan(**known.determined_by["plan"])
    case = cases.restore(run, record, plan, str(kept) if is_image and kept else kernel)
    if case.scenario.pending:
        raise TicklabError(
            f"{campaign.label(case)} was measured with interrupts that the emulator "
            "pended, and has no second run",
            "'ticklab inject' shows its waits and their causes",
        )
    profile = _profile(run.provenance["boards"][record.board]["profile"])
    toolchain = building.as_of(run.provenance["builds"])
    image = _kept(kept, known) or _same_image(case, known, profile, toolchain, hint)
    seen = followed(case)
    target = targets.of(seen.variant.board, seen.nodes)
    assert isinstance(target, Qemu)
    with keeper.keeping(target) as runs:
        model = profile if seen is case else _profile(seen.variant.board.profile)
        taken = observation.take(seen, image, model, runs, Cancel())
        about = second_run.about(known.determined_by, case.variant.kernel, taken.pairs)
        if seen is not case:
            about = replace(about, clock_hz=seen.variant.clock_hz, board=seen.variant.board.name)
        elif not _is_same(store, known, taken):
            raise TicklabError(
                f"{campaign.label(case)} gave other samples than when it was measured "
                f"(measurement {known.key})",
                hint,
            )
        yield second_run.of(runs, image.path, about)


def followed(case: Case) -> Case:
    """Returns the case on a board whose runs can be explained."""
    if case.variant.board.machine.is_followed:
        return case
    if case.variant.board.conformance_board is None:
        raise TicklabError(
            f"{campaign.label(case)} cannot be explained: only the RTL simulation runs "
            "several nodes, and it cannot record their functions",
            "explain a kernel of one node, on board virt",
        )
    return cases.proving(case)


def _profile(name: str | None) -> Profile | None:
    return catalogue.find_profile(name) if name else None


def _kept(file: Path | None, known: Measurement) -> Image | None:
    """Returns the image in the store, if it is the image that was measured."""
    if file is None or digest.hash_file(file) != known.determined_by["image"]:
        return None
    return Image(file, known.determined_by["image"], {})


def _is_same(store: Store, known: Measurement, taken: observation.Found) -> bool:
    """Returns whether the samples of a run have the same begin, length and flags as those in the
    store."""
    names = ("start", "length", "flags")
    for span in taken.samples or ():
        stored = store.samples(known.key, span.span, names)
        if any(not np.array_equal(stored[name], getattr(span, name)) for name in names):
            return False
    return taken.samples is not None


def _same_image(
    case: Case, known: Measurement, profile: Profile | None, toolchain: Toolchain, hint: str
) -> Image:
    (image,) = images.build([case], lambda ours: building.build(ours, toolchain))
    if isinstance(image, TicklabError):
        raise image
    then = known.determined_by
    determinants = observation.determined_by(case, image, profile, then["target"])
    now = json.loads(json.dumps(determinants))  # as read from the store
    changed = sorted(name for name in then if then[name] != now.get(name))
    if changed:
        raise TicklabError(
            f"{campaign.label(case)} changed since it was measured ({', '.join(changed)})",
            hint,
        )
    return image


def _again(run: Run, record: Record) -> str:
    origin = run.provenance["kernels"].get(record.kernel, {})
    if "image" in origin:
        image, recipe = (shlex.quote(origin[name]) for name in ("image", "recipe"))
        words = f"--image {image} --recipe {recipe} --scenario {record.scenario}"
        return f"measure it again: 'ticklab run {words}'"
    words = f"--kernel {record.kernel} --suite {record.suite} --scenario {record.scenario}"
    params = "".join(f" {name}={value}" for name, value in record.params.items())
    words += f" --param{params}" if params else ""
    chosen = run.provenance["builds"][compare.build_key(record)].get("toolchain", {})
    words += "".join(f" --{option}={shlex.quote(value)}" for option, value in chosen.items())
    return f"measure it again: 'ticklab run --record {words}'"
