# SPDX-License-Identifier: MIT
"""Releases Ticklab: checks the tree, the version and the changelog, runs all tests, builds the
wheel, and makes the tag. Pushes nothing. With --dry-run, runs the checks of the tree and prints the
commands that would follow.

The version is `__version__` of lab/src/ticklab/__init__.py; every other place derives it.
"""

from __future__ import annotations

import argparse
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


def main(words: Sequence[str]) -> int:
    arguments = _parser().parse_args(words)
    root: Path = arguments.root
    version = read_version(root)
    violations = list(_violations(root, version))
    for violation in violations:
        print(f"release: error: {violation}", file=sys.stderr)
    if violations:
        return 1
    for command in commands(root, version):
        print("release:", " ".join(command), flush=True)
        if not arguments.dry_run and subprocess.run(command, cwd=root).returncode:
            print(f"release: error: {command[0]} failed; mend it and try again", file=sys.stderr)
            return 1
    print(f"release: publish it with 'git push origin v{version}'")
    return 0


def read_version(root: Path) -> str:
    found = re.search(r'^__version__ = "(.+)"$', (root / VERSION_FILE).read_text(), re.MULTILINE)
    if not found:
        raise SystemExit(f"release: error: {VERSION_FILE} has no __version__; give it one")
    return found[1]


def commands(root: Path, version: str) -> list[list[str]]:
    """Returns what a release does after the checks, in order; the tag comes last, so that a failure
    leaves no trace."""
    python, wheels = sys.executable, str(root / WHEELS)
    wheel = [python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", wheels, "./lab"]
    note = f"Ticklab {version}\n\n{changes(root, version)}"
    return [
        [str(root / "ticklab"), "test", "--long"],
        wheel,
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
    parser = argparse.ArgumentParser(prog="release", description=__doc__)
    parser.add_argument(
        "--dry-run", action="store_true", help="run the checks alone, and print the commands"
    )
    parser.add_argument(
        "--root", type=Path, default=ROOT, metavar="DIR", help="the clone (default this one)"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
