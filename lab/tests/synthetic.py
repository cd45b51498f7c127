# SPDX-License-Identifier: MIT
"""Made-up runs for the tests of the views: shaped like real ones, with every status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ticklab.description.model import Cycles, Lane, Record, Run, Score, Stats, Status

BOARD = "mps2-an386"
CLOCK_HZ = 25_000_000
LANES = (
    Lane("instructions", None, None, "counted"),
    Lane("cycles", 1.0, 1.0, "the model"),
    Lane("entry", 0.0, 4.0, "exception entry"),
    Lane("load", 0.0, 1.0, "pipelining"),
)
FEATURES: Mapping[str, bool | str] = {"isolation": False, "timeouts": True}


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
    """A record that passed, with a linear form over LANES and all that follows from it."""
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
        status=Status.PASS,
        instructions=stats(instructions),
        interrupted=stats(instructions + 400, 3),
        exceptions=entry,
        reads=30.0,
        writes=20.0,
        cycles=Cycles(stats(low), stats(high), "zero-wait"),
        score_30s=Score(30 * CLOCK_HZ / high, 30 * CLOCK_HZ / low, CLOCK_HZ),
        features=FEATURES,
        lanes={"instructions": instructions, "cycles": cycles, "entry": entry, "load": load},
        measurement=f"{kernel}-{scenario}",
    )


def unmeasured(kernel: str, scenario: str, status: Status, reason: str) -> Record:
    blank = record(kernel, scenario)
    return replace(
        blank,
        status=status,
        reason=reason,
        instructions=None,
        interrupted=None,
        exceptions=None,
        reads=None,
        writes=None,
        cycles=None,
        score_30s=None,
        lanes={},
        measurement=None,
    )


def records() -> tuple[Record, ...]:
    cooperative = replace(
        record("freertos", "cooperative-scheduling", 61, 96, 1, 12),
        per_thread=(400, 400, 400, 400, 400),
        deterministic=True,
    )
    unfair = replace(
        record("rt", "cooperative-scheduling", 72, 90, 1, 14),
        per_thread=(400, 397, 400, 400, 400),
        deterministic=False,
    )
    return (
        unmeasured("null", "message-processing", Status.UNSUPPORTED, "lacks service queue"),
        unmeasured("null", "cooperative-scheduling", Status.UNSUPPORTED, "lacks service yield"),
        replace(record("null", "basic-processing", 17422, 20500, 0, 2048), interrupted=None),
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
        "flags": ["-O2", "-mcpu=cortex-m4", "-Ikernel"],
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
