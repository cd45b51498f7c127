# SPDX-License-Identifier: MIT
"""Makes runs with invented figures for the tests of the views. The runs have records of every
status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ticklab.description.model import (
    Curve,
    Cycles,
    Figures,
    Lane,
    NotMeasured,
    Record,
    Run,
    Sampled,
    Score,
    Stats,
    Status,
    WorstCase,
)

BOARD = "mps2-an386"
CLOCK_HZ = 25_000_000
LANES = (
    Lane("instructions", None, None, "counted"),
    Lane("cycles", 1.0, 1.0, "the model"),
    Lane("entry", 0.0, 4.0, "exception entry"),
    Lane("load", 0.0, 1.0, "pipelining"),
)
FEATURES: Mapping[str, bool | str] = {"isolation": False, "inheritance": True}


def stats(mean: float, n: int = 100) -> Stats:
    return Stats(n, mean, mean, mean, mean, mean, mean, mean)


def record(
    kernel: str = "freertos",
    scenario: str = "message-processing",
    instructions: float = 192.0,
    cycles: float = 250.0,
    entry: float = 0.0,
    load: float = 40.0,
) -> Record:
    """Returns a record that passed. The arguments are counts of its lanes (LANES), from which its
    other figures follow."""
    low, high = cycles, cycles + 4 * entry + load
    return Record(
        kernel=kernel,
        config="default",
        optimise="O2",
        board=BOARD,
        suite="thread-metric",
        scenario=scenario,
        span="iteration",
        params={},
        layout=0,
        result=Sampled(
            instructions=stats(instructions),
            interrupted=stats(instructions + 400, 3),
            exceptions=entry,
            reads=30.0,
            writes=20.0,
            cycles=Cycles(stats(low), stats(high), "zero-wait"),
            score_30s=Score(30 * CLOCK_HZ / high, 30 * CLOCK_HZ / low, CLOCK_HZ),
            lanes={"instructions": instructions, "cycles": cycles, "entry": entry, "load": load},
        ),
        features=FEATURES,
        measurement=f"{kernel}-{scenario}",
    )


def unmeasured(kernel: str, scenario: str, status: Status, reason: str) -> Record:
    result = NotMeasured(status, reason)
    return replace(record(kernel, scenario), result=result, measurement=None)


def with_figures(record: Record, **figures: Any) -> Record:
    """Returns a copy of the record in which `figures` replace fields of its result."""
    assert isinstance(record.result, Figures)
    return replace(record, result=replace(record.result, **figures))


def swept(record: Record, curve: Curve) -> Record:
    """Returns the record with a curve, as if it were that of a sweep; a record without figures
    stays."""
    if isinstance(record.result, NotMeasured):
        return record
    return replace(record, result=WorstCase(**{**vars(record.sampled), "curve": curve}))


def records() -> tuple[Record, ...]:
    cooperative = with_figures(
        record("freertos", "cooperative-scheduling", 61, 96, 1, 12),
        per_thread=(400, 400, 400, 400, 400),
        deterministic=True,
    )
    unfair = with_figures(
        record("rt", "cooperative-scheduling", 72, 90, 1, 14),
        per_thread=(400, 397, 400, 400, 400),
        deterministic=False,
    )
    return (
        unmeasured("null", "message-processing", Status.UNSUPPORTED, "lacks service queue"),
        unmeasured("null", "cooperative-scheduling", Status.UNSUPPORTED, "lacks service yield"),
        with_figures(record("null", "basic-processing", 17422, 20500, 0, 2048), interrupted=None),
        record("freertos", "message-processing", 192, 250, 0, 40),
        cooperative,
        record("freertos", "basic-processing", 17422, 20500, 0, 2048),
        record("rt", "message-processing", 210, 270, 0, 44),
        unfair,
        unmeasured(
            "rt", "basic-processing", Status.FAIL, "order: after iteration.1 came iteration.3"
        ),
    )


def run() -> Run:
    kernels = ("null", "freertos", "rt")
    build = {
        "compiler": "arm-none-eabi-gcc 12.2.1",
        "core": "cortex-m4f",
        "clock_hz": CLOCK_HZ,
        "tick_hz": 100,
        "flags": ["-O2", "-mthumb", "-Ikernel"],
    }
    return Run(
        id="20261120-3f2a91c0",
        provenance={
            "ticklab": {"version": "0.1.0", "commit": "0123456789abcdef"},
            "boards": {
                BOARD: {
                    "core": "cortex-m4f",
                    "clock_hz": CLOCK_HZ,
                    "tick_hz": 100,
                    "profile": "zero-wait",
                }
            },
            "builds": {
                f"{kernel}/default/O2/{BOARD}": {**build, "config": {"configUSE_PREEMPTION": "1"}}
                for kernel in kernels
            },
        },
        records=records(),
        lanes={BOARD: LANES},
    )
