# SPDX-License-Identifier: MIT
"""Lets the programs that tests start import Ticklab, however pytest was started; and the fixtures
of several files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ["PYTHONPATH"] = str(Path(__file__).parents[1] / "src")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of this test's own, with the tools of the real one."""
    from ticklab import paths

    tools = paths.venv()
    place = tmp_path / "a home"
    place.mkdir()
    (place / "venv").symlink_to(tools)
    monkeypatch.setenv("TICKLAB_HOME", str(place))
    return place
