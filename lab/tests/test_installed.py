# SPDX-License-Identifier: MIT
"""Tests a wheel in an empty environment without access to a checkout: it measures the same figures
as the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ticklab import __version__, paths

MEASURED = ("run", "--kernel", "freertos", "--scenario", "synchronization")


def program(*command: str | Path, cwd: Path, **environment: str) -> str:
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "TICKLAB_HOME")}
    answer = subprocess.run(
        command, cwd=cwd, env={**kept, **environment}, capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder)
    program(*pip, paths.CHECKOUT / "lab", cwd=folder)
    (found,) = folder.glob("*.whl")
    return found


@pytest.mark.long  # asks the package registry for the build's tools
def test_the_wheel_has_what_measuring_needs(wheel: Path) -> None:
    assert __version__ in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        packed = {name.removeprefix("ticklab/checkout/") for name in archive.namelist()}
    for needed in (
        "kernels/freertos/port.c",
        "kernels/_shared/sources/Cargo.lock",
        "platform/boards/ibex/board.toml",
        "bench/suites/thread-metric/suite.toml",
        "bulkhead/core/thread.c",
        "observer/Cargo.lock",
        "observer/qemu-plugin/src/lib.rs",
        "rtl/simulator",
        "COMMIT",
        "ticklab/views/report.css",
        "ticklab/data/port/kernel.toml",
    ):
        assert needed in packed
    assert not [name for name in packed if "/target/" in name or "__pycache__" in name]


@pytest.mark.long  # builds the observer again
def test_an_installed_ticklab_measures_the_same(wheel: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    program(sys.executable, "-m", "venv", tmp_path / "venv", cwd=empty)
    scripts = tmp_path / "venv" / "bin"
    program(scripts / "pip", "install", "--quiet", wheel, cwd=empty)
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    ticklab = scripts / "ticklab"
    assert program(ticklab, "--version", cwd=empty, **cache) == f"ticklab {__version__}\n"
    theirs = program(ticklab, *MEASURED, "--json", "-", cwd=empty, **cache)
    store = ("--store", str(tmp_path / "store"))
    home = {"TICKLAB_HOME": str(paths.home())}
    ours = program(paths.CHECKOUT / "ticklab", *MEASURED, *store, "--json", "-", cwd=empty, **home)
    assert figures(theirs) == figures(ours)
    assert images(theirs) == images(ours)
    assert list(empty.iterdir()) == []
    assert (tmp_path / "cache" / "ticklab" / "store").is_dir()


@pytest.mark.long  # as above
def test_an_installed_ticklab_refuses_what_needs_a_clone(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    answer = subprocess.run(
        [sys.executable, "-P", "-m", "ticklab", "test"],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 2
    assert "clone" in answer.stderr


def figures(document: str) -> list[dict[str, Any]]:
    """Returns the records without the keys of their measurements, because a key contains the hash
    of the observer."""
    records = json.loads(document)["records"]
    assert records
    return [{k: v for k, v in record.items() if k != "measurement"} for record in records]


def images(document: str) -> Any:
    return json.loads(document)["provenance"]["builds"]
