# SPDX-License-Identifier: MIT
"""Tests the release script: it refuses a tree that is not ready, and makes the tag last."""

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
RECORD = Path("lab", "long-tests.json")
LONG = ("bulkhead/a/b", "bulkhead/c", "mutants/rtl/d")
# Lists the long tests or notes which were run, and fails for what the file `broken` names.
TESTS = f"""#!/usr/bin/env python3
import json, sys
from pathlib import Path
words, home = [word for word in sys.argv[1:] if not word.startswith("-")], Path(".ticklab")
broken = home / "broken"
fails = broken.read_text().split() if broken.exists() else []
if "--list" in sys.argv:
    sys.exit(print(*{LONG}, sep="\\n"))
with (home / "ran").open("a") as ran:
    print(*words, file=ran)
if "--json" in sys.argv:
    items = [{{"name": name, "passed": name not in fails}} for name in words]
    print(json.dumps({{"items": items}}))
sys.exit(any(word in fails for word in words))
"""
DATED = "## [1.2.3] - 2026-01-02\n\n### Fixed\n- A fault.\n\n[1.2.3]: link\n"


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.example")
    command = ["git", *identity, "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree that is ready: version 1.2.3, a dated section, tests that pass, a record of the long
    ones, a project without code."""
    for kind in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{kind}_NAME", "a")
        monkeypatch.setenv(f"GIT_{kind}_EMAIL", "a@b.example")
    source = tmp_path / "lab" / "src" / "ticklab"
    source.mkdir(parents=True)
    (source / "__init__.py").write_text('__version__ = "1.2.3"\n')
    (tmp_path / "lab" / "pyproject.toml").write_text('[project]\ndynamic = ["version"]\n')
    (tmp_path / "CITATION.cff").write_text("title: T\n")
    (tmp_path / "CHANGELOG.md").write_text(f"## [Unreleased]\n\n{DATED}")
    (tmp_path / "ticklab").write_text(TESTS)
    (tmp_path / "ticklab").chmod(0o755)
    (tmp_path / ".gitignore").write_text(".ticklab/\n")
    (tmp_path / ".ticklab").mkdir()
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    write_record(tmp_path, dict.fromkeys(LONG, git(tmp_path, "rev-parse", "HEAD").strip()))
    return tmp_path


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "a")


def release(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", str(SCRIPT), "--root", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True)


def write_record(folder: Path, record: object) -> None:
    (folder / RECORD).write_text(json.dumps(record))
    commit(folder)


def read_record(folder: Path) -> dict[str, str]:
    return dict(json.loads((folder / RECORD).read_text()))


def ran(folder: Path) -> list[str]:
    """Returns the tests that ran since the previous call of this function."""
    file = folder / ".ticklab" / "ran"
    found = file.read_text().splitlines() if file.exists() else []
    file.unlink(missing_ok=True)
    return found


def test_a_dry_run_says_what_it_would_do_and_changes_nothing(clone: Path) -> None:
    answer = release(clone, "--dry-run")
    assert answer.returncode == 0, answer.stderr
    said = [line for line in answer.stdout.splitlines() if line.startswith("release: ")]
    assert said[0] == "release: ./ticklab test"
    assert "pip wheel" in said[1]
    assert "git tag" in said[2]
    assert "- A fault." in answer.stdout
    assert not git(clone, "tag")
    assert not git(clone, "status", "--porcelain")
    assert not ran(clone)


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
    (clone / ".ticklab" / "broken").write_text("test\n")
    answer = release(clone)
    assert answer.returncode == 1
    assert "the whole test failed" in answer.stderr
    assert not git(clone, "tag")


def test_the_long_tests_that_pass_are_recorded_with_their_commit(clone: Path) -> None:
    (clone / ".ticklab" / "broken").write_text("bulkhead/c")
    (clone / RECORD).unlink()
    commit(clone)
    before = git(clone, "rev-parse", "HEAD").strip()
    answer = release(clone, "--long")
    assert answer.returncode == 1
    assert ran(clone) == ["test bulkhead/a/b bulkhead/c", "test mutants/rtl/d"]
    assert "1 of the long tests failed" in answer.stderr
    assert read_record(clone) == {"bulkhead/a/b": before, "mutants/rtl/d": before}
    (clone / ".ticklab" / "broken").unlink()
    commit(clone)
    now = git(clone, "rev-parse", "HEAD").strip()
    assert release(clone, "--long").returncode == 0
    assert ran(clone) == ["test bulkhead/c"]
    expected = {"bulkhead/a/b": before, "bulkhead/c": now, "mutants/rtl/d": before}
    assert read_record(clone) == expected
    assert release(clone, "--long", "mutants/rtl", "bulkhead/a").returncode == 0
    assert ran(clone) == ["test bulkhead/a/b", "test mutants/rtl/d"]
    assert read_record(clone) == dict.fromkeys(LONG, now)


def test_a_long_test_that_fails_loses_its_record(clone: Path) -> None:
    (clone / ".ticklab" / "broken").write_text("bulkhead/c")
    assert release(clone, "--long", "bulkhead").returncode == 1
    assert read_record(clone).keys() == {"bulkhead/a/b", "mutants/rtl/d"}


def test_a_name_without_a_long_test_is_refused(clone: Path) -> None:
    answer = release(clone, "--long", "bulkhead", "bulkhaed")
    assert answer.returncode == 1
    assert "no long test begins with bulkhaed" in answer.stderr
    assert "the groups are bulkhead, mutants/rtl" in answer.stderr
    assert not ran(clone)


@pytest.mark.parametrize("record", [None, [], {}, {"bulkhead": 1}, {"bulkhead/c": "0" * 40}])
def test_a_release_needs_a_record_of_each_long_test(clone: Path, record: object) -> None:
    write_record(clone, record)
    answer = release(clone)
    assert (answer.returncode, ran(clone)) == (1, [])
    assert "3 of the long tests (bulkhead, mutants/rtl)" in answer.stderr
    assert "--long" in answer.stderr


def test_a_record_of_another_branch_or_of_15_days_ago_does_not_count(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed = git(clone, "commit-tree", "-m", "b", "HEAD^{tree}").strip()
    write_record(clone, {**read_record(clone), "bulkhead/c": passed})
    assert "1 of the long tests (bulkhead) have not" in release(clone).stderr
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2001-01-01T00:00:00Z")
    git(clone, "commit", "-q", "--allow-empty", "-m", "old")
    old = git(clone, "rev-parse", "HEAD").strip()
    for days, is_recent in ((14, True), (15, False)):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"2001-01-{1 + days:02}T00:00:00Z")
        write_record(clone, {**dict.fromkeys(LONG, old), "more": str(days)})
        assert ("have not passed" not in release(clone, "--dry-run").stderr) == is_recent


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


def test_a_release_makes_the_wheel_and_a_tag_that_says_where_the_long_tests_passed(
    clone: Path,
) -> None:
    (clone / "lab" / "backend.py").write_text(BACKEND)
    (clone / "lab" / "pyproject.toml").write_text(PROJECT)
    commit(clone)
    answer = release(clone)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert ran(clone) == ["test"]
    assert list((clone / ".ticklab" / "wheels").iterdir())
    assert git(clone, "tag").split() == ["v1.2.3"]
    message = git(clone, "tag", "-l", "--format=%(contents)", "v1.2.3")
    assert "- A fault." in message
    passed = read_record(clone)["bulkhead/c"][:12]
    assert f"- bulkhead: 2 passed at {passed}, 2 commits before this one." in message


@pytest.mark.parametrize("words", [(), ("--long", "bulkhead")])
def test_a_commit_during_the_tests_makes_no_tag_and_no_record(
    clone: Path, words: tuple[str, ...]
) -> None:
    (clone / "ticklab").write_text(
        TESTS.replace(
            "sys.exit(any",
            "import os; os.system('git commit -q --allow-empty -m b')\nsys.exit(any",
        )
    )
    commit(clone)
    before = read_record(clone)
    answer = release(clone, *words)
    assert answer.returncode == 1
    assert "the tree changed" in answer.stderr
    assert not git(clone, "tag")
    assert read_record(clone) == before


def test_the_stated_time_of_the_long_tests_is_that_of_their_items(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])  # the catalogue adds folders
    seconds = sum(item.seconds for item in catalogue.every(ItemOptions(long=True)))
    text = (paths.CHECKOUT / "CONTRIBUTING.md").read_text()
    stated = re.search(r"about ([0-9.]+) hours of processor time", text)
    assert stated, "CONTRIBUTING.md states no time of the long tests"
    assert float(stated[1]) == pytest.approx(seconds / 3600, rel=0.15)
