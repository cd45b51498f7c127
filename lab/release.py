# SPDX-License-Identifier: MIT
"""Releases Ticklab: checks the tree, the version, the changelog and the record of the long tests,
runs the whole test, builds the wheel, and makes the tag. Pushes nothing. With --dry-run, runs the
checks alone and prints the commands that would follow.

The long tests take hours, so they run before a release, group by group: --long runs them and
records in lab/long-tests.json at which commit each group passed. A release needs a record of the
last 14 days for each group, and the tag's message states the commits. The whole test, which has a
part of each group, runs at the commit of the tag.

The version is `__version__` of lab/src/ticklab/__init__.py; every other place derives it.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
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
    """Runs the long tests of some groups, by default of those that lack a record of this commit."""
    if _changes(root):
        return _error("the tree has changes that are not committed; commit or remove them")
    commit, groups = _git(root, "rev-parse", "HEAD"), _groups(root)
    if unknown := set(chosen) - set(groups):
        return _error(f"no group {', '.join(sorted(unknown))}; there is {', '.join(groups)}")
    record, failed = _record(root), []
    for group in chosen or [each for each in groups if record.get(each) != commit]:
        if not _runs(root, [*LONG, group]):
            failed.append(group)
        elif _git(root, "rev-parse", "HEAD") != commit or _changes(root):
            return _error(f"the tree changed while {group} ran; run this again")
        else:
            record[group] = commit
            known = {each: record[each] for each in groups if each in record}
            (root / RECORD).write_text(json.dumps(known, indent=1) + "\n")
    if failed:
        return _error(f"{', '.join(failed)} failed; mend them and try again")
    print(f"release: commit {RECORD}, which records what passed")
    return 0


def _groups(root: Path) -> list[str]:
    """Returns the groups of the long tests: the first word of their names, two of a mutant's."""
    answer = subprocess.run([*LONG, "--list"], cwd=root, capture_output=True, text=True, check=True)
    words = [line.split("/") for line in answer.stdout.splitlines() if line.strip()]
    return sorted({"/".join(each[: 1 + (each[0] == "mutants")]) for each in words})


def _record(root: Path) -> dict[str, str]:
    """Returns the commit at which the long tests of each group passed last."""
    try:
        found = json.loads((root / RECORD).read_text())
        return {str(group): str(commit) for group, commit in found.items()}
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
    for group, commit in _record(root).items():
        since = _git(root, "rev-list", "--count", f"{commit}..HEAD")
        yield f"- {group} passed at {commit[:12]}, {since} commits before this one."


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
    record = _record(root)
    if left := [each for each in _groups(root) if not _is_recent(root, record.get(each, "none"))]:
        yield (
            f"the long tests of {', '.join(left)} have not passed within {MAX_AGE_DAYS} days; run "
            "'python3 lab/release.py --long' with these names"
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
        metavar="GROUP",
        help="run the long tests of these groups, such as 'bulkhead' or 'mutants/rtl', record what "
        "passes, and make no release (default: all groups that did not pass at this commit)",
    )
    add("--root", type=Path, default=ROOT, metavar="DIR", help="the clone (default this one)")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
