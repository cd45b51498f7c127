# SPDX-License-Identifier: MIT
"""Tests the bundle of a run on a board: its figures are computed again from the raw counters, on a
machine that has no board."""

from __future__ import annotations

import lzma
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from console import Answer, ticklab

from ticklab.description.model import Cycles, Record, Sampled
from ticklab.errors import TicklabError
from ticklab.storage import bundle
from ticklab.storage.bundle import Bundle
from ticklab.targets.gdb import Gdb
from ticklab.targets.protocol import Observation
from ticklab.targets.replay import Replay

SCENARIO = "bare-increment"


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a bundle of two kernels on the stand-in."""
    folder = tmp_path_factory.mktemp("board")
    store, file = folder / "store", folder / "run.bundle"
    chosen = ("--board", "stand-in", "--kernel", "null", "freertos", "--scenario", SCENARIO)
    ran = ticklab("run", *chosen, "--skip-conformance", "--no-why", "--store", store)
    assert ran.status == 0, ran
    made = ticklab("bundle", "--store", store, "--output", file)
    assert made.status == 0, made
    return file


def verify_without_board(file: Path) -> Answer:
    def gone(*_: object) -> Observation:
        raise AssertionError("a board was asked")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Gdb, "observe", gone)
        return ticklab("verify", file)


def test_every_figure_is_computed_again_from_the_counters(measured: Path) -> None:
    said = verify_without_board(measured)
    assert said.status == 0, said
    assert "2 of 2 records are equal" in " ".join(said.out.split())


def altered(file: Path, scratch: Path, change: Callable[[Bundle, Path], Bundle]) -> Path:
    """Returns a copy of the bundle with changed content and valid checksums."""
    for name in ("read", "parts"):
        (scratch / name).mkdir()
    held = bundle.read(file, scratch / "read")
    bundle.write(change(held, scratch), scratch / "forged.bundle", scratch / "parts")
    return scratch / "forged.bundle"


def with_faster_record(held: Bundle, _: Path) -> Bundle:
    first = next(entry.record for entry in held.kept.entries if entry.plan)
    assert isinstance(first.result, Sampled)
    cycles = first.result.cycles
    assert cycles
    faster = replace(cycles.low, p50=cycles.low.p50 - 1)
    result = replace(first.result, cycles=Cycles(faster, faster, None))
    records = tuple(replaced(one, first, result) for one in held.kept.run.records)
    entries = tuple(
        replace(entry, record=replaced(entry.record, first, result)) for entry in held.kept.entries
    )
    kept = replace(held.kept, run=replace(held.kept.run, records=records), entries=entries)
    return replace(held, kept=kept)


def replaced(one: Record, first: Record, result: Sampled) -> Record:
    return replace(one, result=result) if one == first else one


def with_other_counters(held: Bundle, scratch: Path) -> Bundle:
    key, file = next(iter(held.counters.items()))
    text = lzma.decompress(file.read_bytes())
    other = scratch / "counters"
    last = text.rfind(b'"kind":"mark"')
    assert last > 0
    other.write_bytes(lzma.compress(text[: last - 1] + text[text.find(b"\n", last) + 1 :]))
    return replace(held, counters={**held.counters, key: other})


@pytest.mark.parametrize("forge", [with_faster_record, with_other_counters])
def test_a_forged_figure_or_counter_is_found(
    measured: Path, tmp_path: Path, forge: Callable[[Bundle, Path], Bundle]
) -> None:
    said = verify_without_board(altered(measured, tmp_path, forge))
    assert said.status == 1
    assert "1 of 2 records are equal" in " ".join(said.out.split())


def test_counters_that_are_damaged_are_one_line() -> None:
    plan: object = None
    for counters, said in ((b"", "damaged"), (b"{}\n{}", "damaged"), (b'{"console":""}\nx', "log")):
        with pytest.raises(TicklabError, match=said) as error:
            Replay(counters, "x").observe(Path("x"), plan, object())  # type: ignore[arg-type]
        assert "\n" not in str(error.value)
