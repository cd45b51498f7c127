# SPDX-License-Identifier: MIT
"""The release script: it refuses a tree that is not ready, and makes the tag last."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ticklab import __version__, paths

SCRIPT = paths.CHECKOUT / "lab" / "release.py"
DATED = "## [1.2.3] - 2026-01-02\n\n### Fixed\n- A fault.\n\n[1.2.3]: link\n"


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.example")
    command = ["git", *identity, "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree that is ready: version 1.2.3, a dated section, tests that pass, a project without
    code."""
    for kind in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{kind}_NAME", "a")
        monkeypatch.setenv(f"GIT_{kind}_EMAIL", "a@b.example")
    source = tmp_path / "lab" / "src" / "ticklab"
    source.mkdir(parents=True)
    (source / "__init__.py").write_text('__version__ = "1.2.3"\n')
    (tmp_path / "lab" / "pyproject.toml").write_text('[project]\ndynamic = ["version"]\n')
    (tmp_path / "CITATION.cff").write_text("title: T\n")
    (tmp_path / "CHANGELOG.md").write_text(f"## [Unreleased]\n\n{DATED}")
    (tmp_path / "ticklab").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "ticklab").chmod(0o755)
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    return tmp_path


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "a")


def release(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", str(SCRIPT), "--root", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_dry_run_says_what_it_would_do_and_changes_nothing(clone: Path) -> None:
    answer = release(clone, "--dry-run")
    assert answer.returncode == 0, answer.stderr
    said = [line for line in answer.stdout.splitlines() if line.startswith("release: ")]
    assert "ticklab test --long" in said[0]
    assert "pip wheel" in said[1]
    assert "git tag" in said[2]
    assert "- A fault." in answer.stdout
    assert not git(clone, "tag")
    assert not git(clone, "status", "--porcelain")


def test_this_tree_states_its_version_once_and_has_a_section_for_it(clone: Path) -> None:
    said = release(paths.CHECKOUT, "--dry-run").stderr
    assert "repeats the version" not in said
    assert "has no dated section" not in said
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)


@pytest.mark.parametrize(
    ("file", "text", "named", "remedy"),
    [
        ("CHANGELOG.md", "## [Unreleased]\n- x\n", "[1.2.3]", "move [Unreleased]"),
        ("CHANGELOG.md", "## [1.2.3]\n- x\n", "[1.2.3]", "move [Unreleased]"),
        ("CHANGELOG.md", f"## [Unreleased]\n- x\n\n{DATED}", "[Unreleased]", "section [1.2.3]"),
        ("CITATION.cff", "version: 1.2.3\n", "CITATION.cff", "only"),
        ("lab/pyproject.toml", 'version = "1.2.3"\n', "pyproject.toml", "only"),
        ("lab/src/ticklab/__init__.py", '__version__ = "2"\n', "version 2", "three numbers"),
    ],
)
def test_a_tree_that_is_not_ready_is_refused(
    clone: Path, file: str, text: str, named: str, remedy: str
) -> None:
    (clone / file).write_text(text)
    commit(clone)
    answer = release(clone)
    assert answer.returncode == 1
    assert named in answer.stderr
    assert remedy in answer.stderr
    assert not git(clone, "tag")


def test_changes_that_are_not_committed_are_refused(clone: Path) -> None:
    (clone / "more").write_text("")
    answer = release(clone, "--dry-run")
    assert answer.returncode == 1
    assert "commit" in answer.stderr


def test_a_tag_that_exists_is_refused(clone: Path) -> None:
    git(clone, "tag", "v1.2.3")
    answer = release(clone, "--dry-run")
    assert answer.returncode == 1
    assert "v1.2.3" in answer.stderr
    assert "raise __version__" in answer.stderr


def test_a_failing_test_leaves_no_tag(clone: Path) -> None:
    (clone / "ticklab").write_text("#!/bin/sh\nexit 1\n")
    commit(clone)
    answer = release(clone)
    assert answer.returncode == 1
    assert "ticklab failed" in answer.stderr
    assert not git(clone, "tag")
