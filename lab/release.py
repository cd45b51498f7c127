# SPDX-License-Identifier: MIT
"""Releases Ticklab: checks the tree, the version, the changelog and the record of the long tests,
runs the whole test, builds the wheel, and makes the tag. Pushes nothing. With --dry-run, runs the
checks alone and prints the commands that would follow.

The long tests take hours, so they run before a release, group by group: --long runs them and
records in lab/long-tests.json at which commit each test passed. A release needs a record of the
last 14 days for each long test, and the tag's message states the commits. The whole test, which has
a part of each group, runs at the commit of the tag.

The version is `__version__` of lab/src/ticklab/__init__.py; every other place derives it.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSION_FILE = Path("lab", "src", "ticklab", "__init__.py")
# Files of which none may repeat the version, with what a repetition looks like.
DERIVED = {Path("lab", "pyproject.toml"): r'^version\s*=\s*"', Path("CITATION.cff"): r"^version:"}
WHEELS = Path(".ticklab", "wheels")
RECORD = Path("lab", "long-tests.json")
MAX_AGE_DAYS = 14
WHOLE = ("./ticklab", "test")
LONG = (*WHOLE, "--long")


def main(words: Sequence[str]) -> int:
    arguments = _parser().parse_args(words)
    root: Path = arguments.root
    if arguments.long is not None:
        return _run_long(root, arguments.long)
    version = read_version(root)
    if _refused(root, version):
        return 1
    if arguments.dry_run:
        for command in (WHOLE, *last(root, version)):
            print("release:", " ".join(command))
        return 0
    commit = _git(root, "rev-parse", "HEAD")
    if not _runs(root, WHOLE):
        return _error("the whole test failed; mend it and try again")
    if _git(root, "rev-parse", "HEAD") != commit or _refused(root, version):
        return _error("the tree changed while the tests ran; run this again")
    for command in last(root, version):
        if not _runs(root, command):
            return _error(f"{command[0]} failed; mend it and try again")
    print(f"release: publish it with 'git push origin v{version}'")
    return 0


def _run_long(root: Path, chosen: Sequence[str]) -> int:
    """Runs the long tests whose names begin with a word of `chosen`, by default those that a
    release lacks, and records which passed."""
    if _changes(root):
        return _error("the tree has changes that are not committed; commit or remove them")
    commit, every, failed = _git(root, "rev-parse", "HEAD"), _long_tests(root), 0
    wanted = [test for test in every if test.startswith(tuple(chosen))] if chosen else _left(root)
    if unknown := [word for word in chosen if not any(test.startswith(word) for test in every)]:
        groups = ", ".join(sorted({_group(test) for test in every}))
        return _error(f"no long test begins with {', '.join(unknown)}; the groups are {groups}")
    for _, tests in groupby(wanted, _group):
        left = set(tests)
        passed = left & _passing(root, sorted(left))
        if _git(root, "rev-parse", "HEAD") != commit or _changes(root):
            return _error("the tree changed while the tests ran; run this again")
        kept = {test: each for test, each in _record(root).items() if test in {*every} - left}
        known = kept | dict.fromkeys(passed, commit)
        (root / RECORD).write_text(json.dumps(known, indent=0, sort_keys=True) + "\n")
        failed += len(left - passed)
    if failed:
        return _error(f"{failed} of the long tests failed; mend them and run this again")
    print(f"release: commit {RECORD}, which records what passed")
    return 0


def _long_tests(root: Path) -> list[str]:
    answer = subprocess.run([*LONG, "--list"], cwd=root, capture_output=True, text=True, check=True)
    return sorted(
        (line for line in answer.stdout.splitlines() if line), key=lambda t: (_group(t), t)
    )


def _group(test: str) -> str:
    """Returns the group of a long test: the first word of its name, two of a mutant's."""
    words = test.split("/")
    return "/".join(words[: 1 + (words[0] == "mutants")])


def _passing(root: Path, tests: Sequence[str]) -> set[str]:
    """Runs long tests. Returns the names of those that passed now, or before with the same
    inputs."""
    print(f"release: {' '.join(LONG)} {_group(tests[0])}: {len(tests)} tests", flush=True)
    command = [*LONG, "--json", "-", *tests]
    answer = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True)
    try:
        found = json.loads(answer.stdout)["items"]
    except ValueError:  # the runner was interrupted, or an error message is on the terminal
        return set()
    return {str(item["name"]) for item in found if item["passed"]}


def _left(root: Path) -> list[str]:
    """Returns the long tests without a recent record."""
    record = _record(root)
    is_recent = {commit: _is_recent(root, commit) for commit in {*record.values()}}
    return [test for test in _long_tests(root) if not is_recent.get(record.get(test, ""), False)]


def _record(root: Path) -> dict[str, str]:
    """Returns the commit at which each long test passed last."""
    try:
        found = json.loads((root / RECORD).read_text())
        return {str(test): str(commit) for test, commit in found.items()}
    except (OSError, ValueError, AttributeError):
        return {}


def _is_recent(root: Path, commit: str) -> bool:
    """Returns whether a commit is in the history of HEAD and not too old."""
    command = ["git", "-C", str(root), "merge-base", "--is-ancestor", commit, "HEAD"]
    if subprocess.run(command, capture_output=True).returncode:
        return False
    then, now = (int(_git(root, "log", "-1", "--format=%ct", each)) for each in (commit, "HEAD"))
    return now - then <= MAX_AGE_DAYS * 24 * 3600


def _runs(root: Path, command: Sequence[str]) -> bool:
    print("release:", " ".join(command), flush=True)
    return not subprocess.run(command, cwd=root).returncode


def _refused(root: Path, version: str) -> bool:
    violations = list(_violations(root, version))
    for violation in violations:
        _error(violation)
    return bool(violations)


def _error(what: str) -> int:
    print(f"release: error: {what}", file=sys.stderr)
    return 1


def read_version(root: Path) -> str:
    found = re.search(r'^__version__ = "(.+)"$', (root / VERSION_FILE).read_text(), re.MULTILINE)
    if not found:
        raise SystemExit(f"release: error: {VERSION_FILE} has no __version__; give it one")
    return found[1]


def last(root: Path, version: str) -> list[list[str]]:
    """Returns what a release does after the tests; the tag comes last, so that a failure leaves no
    trace."""
    python, wheels = sys.executable, str(root / WHEELS)
    passed = "\n".join(_passed(root))
    note = f"Ticklab {version}\n\n{changes(root, version)}\n\nLong tests\n{passed}\n"
    return [
        [python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", wheels, "./lab"],
        ["git", "tag", "--annotate", "--cleanup=verbatim", "--message", note, f"v{version}"],
    ]


def _passed(root: Path) -> Iterator[str]:
    """Yields where the long tests of each group passed."""
    found = Counter((_group(test), commit) for test, commit in _record(root).items())
    for (group, commit), tests in sorted(found.items()):
        since = _git(root, "rev-list", "--count", f"{commit}..HEAD")
        yield f"- {group}: {tests} passed at {commit[:12]}, {since} commits before this one."


def changes(root: Path, version: str) -> str:
    """Returns the changelog's section of `version` without its heading; empty if there is none."""
    return _section(root, rf"{re.escape(version)}\] - \d{{4}}-\d\d-\d\d")


def _section(root: Path, heading: str) -> str:
    text = (root / "CHANGELOG.md").read_text()
    pattern = rf"^## \[{heading}\n(.*?)(?=^## |^\[|\Z)"
    section = re.search(pattern, text, re.MULTILINE | re.DOTALL)
    return section[1].strip() if section else ""


def _violations(root: Path, version: str) -> Iterator[str]:
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        yield f"{VERSION_FILE} has version {version}; write three numbers"
    if not changes(root, version):
        yield f"CHANGELOG.md has no dated section [{version}]; move [Unreleased] there"
    if _section(root, r"Unreleased\]"):
        yield f"CHANGELOG.md has changes in [Unreleased]; move them to the section [{version}]"
    for file, repetition in DERIVED.items():
        if re.search(repetition, (root / file).read_text(), re.MULTILINE):
            yield f"{file} repeats the version; only {VERSION_FILE} may state it"
    if _changes(root):
        yield "the tree has changes that are not committed; commit or remove them"
    if _git(root, "tag", "--list", f"v{version}"):
        yield f"tag v{version} exists; raise __version__ in {VERSION_FILE}"
    if left := _left(root):
        groups = ", ".join(sorted({_group(test) for test in left}))
        yield (
            f"{len(left)} of the long tests ({groups}) have not passed within {MAX_AGE_DAYS} days; "
            "run 'python3 lab/release.py --long'"
        )


def _changes(root: Path) -> str:
    """Returns the files that differ from the commit, apart from the record."""
    return _git(root, "status", "--porcelain", "--", ".", f":!{RECORD}")


def _git(root: Path, *words: str) -> str:
    command = ["git", "-C", str(root), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="release", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--dry-run", action="store_true", help="run the checks alone, and print the commands")
    add(
        "--long",
        nargs="*",
        metavar="NAME",
        help="run the long tests whose names begin so, such as 'bulkhead' or 'mutants/rtl', record "
        "what passes, and make no release (default: all tests that a release lacks)",
    )
    add("--root", type=Path, default=ROOT, metavar="DIR", help="the clone (default this one)")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
