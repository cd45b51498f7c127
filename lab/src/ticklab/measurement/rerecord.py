# SPDX-License-Identifier: MIT
"""Records a case that a run measured without `--record`: the same image under the same plan again.

The image comes from the build cache, or is built again. If the new image differs from that of the
run, there is no recording, because it would explain other figures.

Simulated hardware records nothing. A clocked case is recorded on the board that runs the same
images in QEMU (`conformance_board` in board.toml): the same instructions exactly, with modelled
cycles.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import replace

from ticklab import building, targets
from ticklab.building import Toolchain
from ticklab.comparison import compare
from ticklab.description import catalogue
from ticklab.description.model import Case, Image, Profile, Record, Run, SamplePlan
from ticklab.errors import TicklabError
from ticklab.measurement import campaign, cases, images, observation
from ticklab.storage import recordings
from ticklab.storage.store import Measurement, Store
from ticklab.targets.protocol import Cancel


def record(store: Store, run: Run, record: Record, kernel: str | None = None) -> None:
    """Adds a recording to the measurement of a record. `kernel` is the folder of a user's
    kernel."""
    store.open_for_writing()
    known = store.measurement(str(record.measurement))
    if known is None:
        raise TicklabError(
            f"measurement {record.measurement} is not in the store", _again(run, record)
        )
    board = run.provenance["boards"][record.board]
    plan = SamplePlan(**known.determined_by["plan"])
    case = cases.restore(run, record, plan, kernel)
    profile = catalogue.find_profile(board["profile"]) if board["profile"] else None
    if case.scenario.pending:
        raise TicklabError(
            f"{campaign.label(case)} was stepped, and no recording of it can be made",
            "'ticklab inject' shows its waits and their causes",
        )
    image = _same_image(
        case, known, profile, building.as_of(run.provenance["builds"]), _again(run, record)
    )
    seen = followed(case)
    with campaign.recorded(targets.of(seen.variant.board, seen.nodes)) as (target, blocks):
        model = profile if seen is case else _profile(seen)
        taken = observation.take(seen, image, model, target, Cancel())
        assert blocks
        about = recordings.about(known.determined_by, case.variant.kernel, taken.pairs)
        if seen is not case:
            about = replace(about, clock_hz=seen.variant.clock_hz, board=seen.variant.board.name)
        recordings.keep(store, known.key, image.path, blocks, about)


def followed(case: Case) -> Case:
    """Returns the case on a board whose blocks can be recorded."""
    if case.variant.board.machine.records:
        return case
    if case.variant.board.conformance_board is None:
        raise TicklabError(
            f"{campaign.label(case)} cannot be explained: only the RTL simulation runs several "
            "nodes, and it makes no recordings",
            "explain a kernel of one node, on board virt",
        )
    return cases.proving(case)


def _profile(case: Case) -> Profile | None:
    name = case.variant.board.profile
    return catalogue.find_profile(name) if name else None


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
    words = f"--kernel {record.kernel} --suite {record.suite} --scenario {record.scenario}"
    params = "".join(f" {name}={value}" for name, value in record.params.items())
    words += f" --param{params}" if params else ""
    chosen = run.provenance["builds"][compare.build_key(record)].get("toolchain", {})
    words += "".join(f" --{option}={shlex.quote(value)}" for option, value in chosen.items())
    return f"measure it again: 'ticklab run --record {words}'"
