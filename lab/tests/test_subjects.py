# SPDX-License-Identifier: MIT
"""Tests that a word of the command line selects one span of one image, or that the error lists the
choices."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from synthetic import record, run

from ticklab import paths
from ticklab.description import catalogue
from ticklab.description.model import Record, Run, Span
from ticklab.errors import TicklabError, UsageError
from ticklab.explain import subjects
from ticklab.explain.second_run import About, FirstRun
from ticklab.storage.store import Store
from ticklab.targets.protocol import until_instructions
from ticklab.targets.qemu import Qemu


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "store")
    made.add_run(replace(run(), records=(*run().records, replace(record(), span="other"))))
    return made


def test_the_folder_of_a_kernel_is_known(tmp_path: Path) -> None:
    assert not subjects.is_kernel(str(tmp_path))
    (tmp_path / "kernel.toml").touch()
    assert subjects.is_kernel(str(tmp_path))


def find(store: Store, word: str, scenario: str | None, span: str | None) -> subjects.Subject:
    return found_by(store, word, subjects.Wanted(scenario, span))


def found_by(store: Store, word: str, wanted_one: subjects.Wanted) -> subjects.Subject:
    @contextmanager
    def repeat(_run: Run, wanted: Record) -> Iterator[FirstRun]:
        about = About((Span(wanted.span, ("x",)),), 0, 0, 1, wanted.kernel)
        plan = until_instructions(catalogue.find_board(wanted.board), 1)
        yield FirstRun(Qemu(paths.plugin()), store.root, plan, store.root, about)

    with subjects.found(word, wanted_one, store, repeat) as subject:
        return subject


def test_a_folder_with_the_name_of_a_kernel_does_not_hide_it(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checkout also has a folder `bulkhead` that is no kernel, beside kernels/bulkhead."""
    (tmp_path / "freertos").mkdir()
    monkeypatch.chdir(tmp_path)
    assert find(store, "freertos", "message-processing", "iteration").title.startswith("freertos/")


def test_what_runs_again_knows_its_kernel_s_rules(store: Store) -> None:
    found = find(store, "freertos", "message-processing", "iteration")
    what = "freertos/default/O2 on mps2-an386, message-processing, iteration"
    assert found.title == f"{what} (run 20261120-3f2a91c0)"
    assert any(rule.category == "registers" for rule in subjects.rules(found, {}))


def test_a_doubt_is_shown_with_the_title(store: Store) -> None:
    doubted = replace(record(), doubts={"conformance": "skipped", "prebuilt": "libk.a"})
    store.add_run(replace(run(), id="20261120-ffffffff", records=(doubted,)))
    found = find(store, "20261120-ffffffff", None, None)
    assert found.title.endswith("; not ranked: conformance: skipped; prebuilt: libk.a)")


@pytest.mark.parametrize(
    ("word", "scenario", "message"),
    [
        ("latest", None, "name one as RUN:KERNEL/CONFIG/OPTIMISE: .*freertos/default/O2"),
        ("freertos", None, "name one by --scenario: "),
        ("freertos", "message-processing", "name one by --span: iteration, other"),
        ("freertos", "mesage-processing", "did you mean message-processing"),
    ],
)
def test_what_is_left_open_is_named(
    store: Store, word: str, scenario: str | None, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        find(store, word, scenario, None)


DIFFERENCES: tuple[dict[str, Any], ...] = (
    {"kernel": "rt"},
    {"config": "asserts"},
    {"optimise": "Os"},
    {"board": "mps2-an385"},
    {"suite": "rhealstone"},
    {"scenario": "synchronization"},
    {"span": "there"},
    {"params": {"waiters": "10"}},
)


@pytest.mark.parametrize("difference", DIFFERENCES)
def test_whatever_two_records_differ_in_is_asked_for(
    store: Store, difference: dict[str, Any]
) -> None:
    one = replace(record(), params={"waiters": "1"})
    store.add_run(replace(run(), id="20261121-2", records=(one, replace(one, **difference))))
    ((name, value),) = difference.items()
    with pytest.raises(UsageError) as caught:
        found_by(store, "20261121-2", subjects.Wanted())
    assert str(value if name != "params" else "waiters=10") in caught.value.hint
    another: dict[str, Any] = {name: "another"}
    if f"--{name}" in caught.value.hint:
        found_by(store, "20261121-2", subjects.Wanted(**difference))
        with pytest.raises(UsageError, match=r"did you mean|there is"):
            found_by(store, "20261121-2", subjects.Wanted(**another))


def test_what_failed_has_nothing_to_explain(store: Store) -> None:
    failed = next(r for r in run().records if r.status.value != "pass")
    word = f"{failed.kernel}/{failed.config}"
    with pytest.raises(TicklabError, match="no figures to explain"):
        find(store, word, failed.scenario, None)


def test_a_case_among_several_is_named_by_its_parameters(store: Store) -> None:
    ten, fifty = (replace(record(), scenario="give", params={"waiters": n}) for n in ("10", "50"))
    store.add_run(replace(run(), id="20261121-1", records=(ten, fifty)))
    with pytest.raises(UsageError, match="name one by --param: waiters=10, waiters=50"):
        find(store, "20261121-1", "give", "iteration")
    wanted = subjects.Wanted("give", params={"waiters": "50"})
    assert "waiters=50" in found_by(store, "20261121-1", wanted).title
