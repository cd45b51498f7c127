# SPDX-License-Identifier: MIT
"""Large stores with invented figures and descriptions of campaigns, with which `bench` measures the
speed of the laboratory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from ticklab.analysis.samples import Samples
from ticklab.description.model import Lane, Record, Run, Sampled, Stats
from ticklab.storage.store import Measurement, Store

KEY = "made-up"
SPAN = "iteration"
LANES = (Lane("instructions", None, None, "made up"),)


def runs(folder: Path, count: int) -> Store:
    """Returns a store with `count` runs of 50 records each."""
    store = Store(folder)
    store.open_for_writing()
    records = tuple(
        replace(_record(), scenario=f"scenario-{number}", measurement=None) for number in range(50)
    )
    for number in range(count):
        store.add_run(replace(_run(), id=f"20261120-{number:06d}-made", records=records))
    return store


def samples(folder: Path, count: int) -> Store:
    """Returns a store with one run of one record, which has `count` samples of 400 different
    lengths."""
    store = Store(folder)
    store.open_for_writing()
    lengths = 100 + np.random.default_rng(1).integers(0, 400, count)
    zeros = np.zeros(count, np.int64)
    found = Samples(
        span=SPAN,
        lanes=LANES,
        node=zeros.astype(np.uint8),
        start=np.cumsum(lengths),
        tallies=lengths.reshape(-1, 1),
        flags=zeros.astype(np.uint8),
        first=zeros,
        last=zeros,
    )
    store.add(Measurement(KEY, {}, LANES, {}, ""), (found,))
    store.add_run(replace(_run(), records=(_record(),)))
    return store


def campaign(folder: Path, suite: str, config: str, layouts: int) -> Path:
    """Writes the description of a campaign: two kernels at three optimisation levels."""
    file = folder / f"{suite}.toml"
    file.write_text(f"""\
[campaign]
name = "{suite}"

[[cases]]
kernel = ["freertos", "rt"]
config = ["{config}"]
suite = ["{suite}"]
optimise = ["O2", "Os", "O3"]
layouts = {layouts}
""")
    return file


def _run() -> Run:
    builds = {"boards": {"board": {"core": "", "clock_hz": 1, "tick_hz": 1, "profile": None}}}
    origin = {"ticklab": {"version": "", "commit": ""}, "builds": {}, **builds}
    return Run("20261120-000000-made", origin, ())


def _record() -> Record:
    stats = Stats(1, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
    return Record(
        kernel="kernel",
        config="default",
        optimise="O2",
        board="board",
        suite="suite",
        scenario="scenario",
        span=SPAN,
        params={},
        layout=0,
        result=Sampled(instructions=stats),
        measurement=KEY,
    )
