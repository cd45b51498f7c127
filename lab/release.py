# SPDX-License-Identifier: MIT
"""Releases Ticklab: checks the tree, the version and the changelog, runs all tests, builds the
wheel, and makes the tag. Pushes nothing. With --dry-run, runs the checks of the tree and prints the
commands that would follow.

The long tests take hours, so they run in parts. The script records which parts passed at which
commit; run again, it continues with the others. The tag needs all parts at one commit.

The version is `__version__` of lab/src/ticklab/__init__.py; every other place derives it.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSION_FILE = Path("lab", "src", "ticklab", "__init__.py")
# Files of which none may repeat the version, with what a repetition looks like.
DERIVED = {Path("lab", "pyproject.toml"): r'^version\s*=\s*"', Path("CITATION.cff"): r"^version:"}
WHEELS = Path(".ticklab", "wheels")
RECORD = Path(".ticklab", "release.json")
PARTS = 8


@dataclass(frozen=True)
class PassedParts:
    """The parts of the long tests that passed at a commit, recorded in a file."""

    file: Path
    commit: str
    count: int

    def passed(self) -> list[int]:
        """Returns the recorded parts; none if the record is of another commit or division."""
        try:
            found = json.loads(self.file.read_text())
            is_same = (found["commit"], found["parts"]) == (self.commit, self.count)
            return [int(number) for number in found["passed"]] if is_same else []
        except (OSError, ValueError, KeyError, TypeError):
            return []

    def left(self) -> list[int]:
        passed = self.passed()
        return [number for number in range(1, self.count + 1) if number not in passed]

    def keep(self, number: int) -> None:
        passed = [*self.passed(), number]
        record = {"commit": self.commit, "parts": self.count, "passed": passed}
        self.file.parent.mkdir(exist_ok=True)
        beside = self.file.with_suffix(".new")
        beside.write_text(json.dumps(record))
        beside.replace(self.file)


def main(words: Sequence[str]) -> int:
    arguments = _parser().parse_args(words)
    root: Path = arguments.root
    if unknown := [number for number in arguments.part or () if number > arguments.parts]:
        return _error(f"there is no part {_listed(unknown)} of {arguments.parts}; see --parts")
    version = read_version(root)
    if _refused(root, version):
        return 1
    parts = PassedParts(root / RECORD, _git(root, "rev-parse", "HEAD"), arguments.parts)
    chosen = [number for number in parts.left() if number in (arguments.part or parts.left())]
    if arguments.dry_run:
        for command in (*(_test(root, parts, number) for number in chosen), *last(root, version)):
            print("release:", " ".join(command))
        return 0
    return _release(root, version, parts, chosen)


def _release(root: Path, version: str, parts: PassedParts, chosen: Sequence[int]) -> int:
    if passed := parts.passed():
        print(f"release: parts {_listed(passed)} of {parts.count} passed before, at this commit")
    if failed := [number for number in chosen if not _passes(root, parts, number)]:
        return _error(f"parts {_listed(failed)} failed; mend them and try again")
    if left := parts.left():
        print(f"release: parts {_listed(left)} of {parts.count} are left; then run this again")
        return 0
    if _refused(root, version):
        return 1
    if _git(root, "rev-parse", "HEAD") != parts.commit:
        return _error("the commit changed while the tests ran; run this again")
    for command in last(root, version):
        if not _runs(root, command):
            return _error(f"{command[0]} failed; mend it and try again")
    print(f"release: publish it with 'git push origin v{version}'")
    return 0


def _passes(root: Path, parts: PassedParts, number: int) -> bool:
    passes = _runs(root, _test(root, parts, number))
    if passes:
        parts.keep(number)
    return passes


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


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))


def read_version(root: Path) -> str:
    found = re.search(r'^__version__ = "(.+)"$', (root / VERSION_FILE).read_text(), re.MULTILINE)
    if not found:
        raise SystemExit(f"release: error: {VERSION_FILE} has no __version__; give it one")
    return found[1]


def _test(root: Path, parts: PassedParts, number: int) -> list[str]:
    return [str(root / "ticklab"), "test", "--long", "--shard", f"{number}/{parts.count}"]


def last(root: Path, version: str) -> list[list[str]]:
    """Returns what a release does after the tests; the tag comes last, so that a failure leaves no
    trace."""
    python, wheels = sys.executable, str(root / WHEELS)
    note = f"Ticklab {version}\n\n{changes(root, version)}"
    return [
        [python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", wheels, "./lab"],
        ["git", "tag", "--annotate", "--cleanup=verbatim", "--message", note, f"v{version}"],
    ]


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
    if _git(root, "status", "--porcelain"):
        yield "the tree has changes that are not committed; commit or remove them"
    if _git(root, "tag", "--list", f"v{version}"):
        yield f"tag v{version} exists; raise __version__ in {VERSION_FILE}"


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
        "--part",
        type=_positive,
        action="append",
        metavar="I",
        help="run only part I of the tests, and make no tag unless it was the last that was left; "
        "may be repeated (default: all parts that are left)",
    )
    add(
        "--parts",
        type=_positive,
        default=PARTS,
        metavar="N",
        help=f"divide the tests into N parts (default {PARTS})",
    )
    add("--root", type=Path, default=ROOT, metavar="DIR", help="the clone (default this one)")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is no number from 1")
    return number


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
