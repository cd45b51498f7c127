# SPDX-License-Identifier: MIT
"""Lets programs that tests start import Ticklab, however pytest was started, and defines fixtures
that several test files use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import browser
import pytest

if TYPE_CHECKING:
    from ticklab.measurement.environment import Environment

os.environ["PYTHONPATH"] = str(Path(__file__).parents[1] / "src")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for Ticklab's files that belongs to one test, with the tools of the real folder."""
    from ticklab import paths

    tools = paths.venv()
    place = tmp_path / "a home"
    place.mkdir()
    (place / "venv").symlink_to(tools)
    monkeypatch.setenv("TICKLAB_HOME", str(place))
    return place


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment that builds cases with the real compiler and runs them on the targets of their
    boards. Its store belongs to the test file."""
    from ticklab import building, targets
    from ticklab.measurement.environment import Environment
    from ticklab.storage.store import Store

    store = Store(tmp_path_factory.mktemp("store"))
    store.open_for_writing()
    return Environment(
        build=lambda wanted: building.build(wanted, building.find_toolchain(), lambda *_: None, 2),
        target=lambda case: targets.of(case.variant.board, case.nodes),
        store=store,
        profile=lambda _: None,
        jobs=2,
    )


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Browser]:
    """A browser, whose start takes longer than most of its tests."""
    with browser.started(tmp_path_factory.mktemp("chromium")) as found:
        yield found
