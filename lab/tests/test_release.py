# SPDX-License-Identifier: MIT
"""The release script: it refuses a tree that is not ready, and makes the tag last."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ticklab import __version__, paths
from ticklab.quality import catalogue
from ticklab.quality.item import ItemOptions

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
    assert [line.split()[-1] for line in said[:8]] == [f"{number}/8" for number in range(1, 9)]
    assert "ticklab test --long --shard" in said[0]
    assert "pip wheel" in said[8]
    assert "git tag" in said[9]
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
    assert "parts 1, 2, 3, 4, 5, 6, 7, 8 failed" in answer.stderr
    assert not git(clone, "tag")


# Writes down its part, and fails at the part that the file `broken` names.
TESTS = """#!/bin/sh
echo "$4" >>.ticklab/ran
test "$4" != "$(cat .ticklab/broken)"
"""


@pytest.fixture
def parts(clone: Path) -> Path:
    """The folder that a release of `clone` writes to; part 2 of the tests fails."""
    (clone / "ticklab").write_text(TESTS)
    (clone / ".gitignore").write_text(".ticklab/\n")
    commit(clone)
    folder = clone / ".ticklab"
    folder.mkdir()
    (folder / "broken").write_text("2/3\n")
    return folder


def ran(folder: Path) -> list[str]:
    """Returns the parts that ran since the last question."""
    file = folder / "ran"
    found = file.read_text().split() if file.exists() else []
    file.unlink(missing_ok=True)
    return found


def test_a_release_continues_with_the_parts_that_did_not_pass(clone: Path, parts: Path) -> None:
    answer = release(clone, "--parts", "3")
    assert (answer.returncode, ran(parts)) == (1, ["1/3", "2/3", "3/3"])
    assert "parts 2 failed" in answer.stderr
    (parts / "broken").write_text("")
    answer = release(clone, "--parts", "3", "--dry-run")
    shards = [line for line in answer.stdout.splitlines() if "--shard" in line]
    assert [line.split()[-1] for line in shards] == ["2/3"]
    answer = release(clone, "--parts", "3")
    assert ran(parts) == ["2/3"]
    assert "parts 1, 3 of 3 passed before" in answer.stdout
    assert json.loads((parts / "release.json").read_text())["passed"] == [1, 3, 2]


BACKEND = """import zipfile
def build_wheel(folder, *_):
    name, about = "t-1.2.3-py3-none-any.whl", "t-1.2.3.dist-info"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\\nName: t\\nVersion: 1.2.3\\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\\nTag: py3-none-any\\n")
        wheel.writestr(f"{about}/RECORD", "")
    return name
"""
PROJECT = """[project]
name = "t"
dynamic = ["version"]
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""


def test_the_last_part_that_passes_makes_the_wheel_and_the_tag(clone: Path, parts: Path) -> None:
    (clone / "lab" / "backend.py").write_text(BACKEND)
    (clone / "lab" / "pyproject.toml").write_text(PROJECT)
    commit(clone)
    (parts / "broken").write_text("")
    assert release(clone, "--parts", "2", "--part", "2").returncode == 0
    assert not git(clone, "tag")
    answer = release(clone, "--parts", "2")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert ran(parts) == ["2/2", "1/2"]
    assert list((parts / "wheels").iterdir())
    assert git(clone, "tag").split() == ["v1.2.3"]
    assert "- A fault." in git(clone, "tag", "-l", "--format=%(contents)", "v1.2.3")


def test_parts_of_another_commit_or_division_do_not_count(clone: Path, parts: Path) -> None:
    (parts / "broken").write_text("")
    assert release(clone, "--parts", "3", "--part", "1").returncode == 0
    assert ran(parts) == ["1/3"]
    assert release(clone, "--parts", "2", "--part", "1", "--part", "2").returncode == 1  # no wheel
    assert ran(parts) == ["1/2", "2/2"]
    (clone / "more").write_text("")
    commit(clone)
    answer = release(clone, "--parts", "2", "--part", "1")
    assert (answer.returncode, ran(parts)) == (0, ["1/2"])
    assert "parts 2 of 2 are left" in answer.stdout


@pytest.mark.parametrize("record", ["", "[]", '{"commit": 1}', '{"passed": null}'])
def test_a_damaged_record_counts_as_none(clone: Path, parts: Path, record: str) -> None:
    (parts / "release.json").write_text(record)
    (parts / "broken").write_text("")
    answer = release(clone, "--parts", "2", "--part", "2")
    assert (answer.returncode, ran(parts)) == (0, ["2/2"]), answer.stderr


def test_a_commit_during_the_tests_makes_no_tag(clone: Path, parts: Path) -> None:
    (clone / "ticklab").write_text("#!/bin/sh\ngit commit -q --allow-empty -m b\n")
    commit(clone)
    answer = release(clone, "--parts", "1")
    assert answer.returncode == 1
    assert "the commit changed" in answer.stderr
    assert not git(clone, "tag")


def test_a_part_that_does_not_exist_is_refused(clone: Path) -> None:
    answer = release(clone, "--parts", "2", "--part", "3")
    assert answer.returncode == 1
    assert "no part 3 of 2" in answer.stderr


def test_the_stated_time_of_the_long_tests_is_that_of_their_items(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])  # the catalogue adds folders
    seconds = sum(item.seconds for item in catalogue.every(ItemOptions(long=True)))
    text = (paths.CHECKOUT / "CONTRIBUTING.md").read_text()
    stated = re.search(r"about ([0-9.]+) hours of processor time", text)
    assert stated, "CONTRIBUTING.md states no time of the long tests"
    assert float(stated[1]) == pytest.approx(seconds / 3600, rel=0.15)
