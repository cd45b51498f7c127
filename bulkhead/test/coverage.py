# SPDX-License-Identifier: MIT
"""Counts which branches of core/ the model takes, with gcov, and compares the table of
docs/explanation/bulkhead/coverage.md.

The model saves and restores all static data at each step, so the counters must be outside that
memory: they are in a section before it, which is writable because the link is made without RELRO.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from build import MODEL_CHECKS, ROOT, TestError, Tree, make, run

from ticklab.building import program
from ticklab.building.program import Program

DOCUMENT = "docs/explanation/bulkhead/coverage.md"
SECONDS = 1800
# Without optimisation, each branch in the object file is a branch of the source.
_COUNTED = ("-O0", "--coverage", "-fdata-sections", "-Wno-error")
_COUNTERS = re.compile(r"\s(\.(?:bss|data)\S*(?:__gcov|LPB)\S*)\s")
_MOVED = "alloc,load,data,contents"
_HEAD = "| file | branches | taken | functions with a branch that is never taken |"


@dataclass
class Branches:
    """How often each branch of one source file was taken."""

    total: int = 0
    taken: int = 0
    missed: set[str] = field(default_factory=set)  # functions with branches that are not taken

    def row(self, name: str) -> str:
        return f"| `{name}` | {self.total} | {self.taken} | {', '.join(sorted(self.missed))} |"


def _sources(tree: Tree) -> Iterator[tuple[Path, bool]]:
    """Yields the source files of the model, and whether the branches of each are counted."""
    test, core = tree.bulkhead / "test" / "model", tree.bulkhead / "core"
    for folder in (test, core, tree.bulkhead / "user"):
        yield from ((file, folder == core) for file in sorted(folder.glob("*.c")))
    yield from ((core / "hooks" / "checks" / name, False) for name in MODEL_CHECKS)


def _move_counters(built: Path) -> None:
    sections = _COUNTERS.findall(run(["objdump", "-h", built]))
    words = [
        word
        for name in sections
        for word in (
            f"--set-section-flags={name}={_MOVED}",
            f"--rename-section={name}=.data.rel.ro{name},{_MOVED}",
        )
    ]
    if words:
        run(["objcopy", *words, built])


def _build(tree: Tree, folder: Path) -> Path:
    test, core = tree.bulkhead / "test" / "model", tree.bulkhead / "core"
    headers = [test, core, core / "hooks" / "none", tree.bulkhead / "include"]
    tool, objects = program.model(tree.warnings), []
    for file, is_counted in _sources(tree):
        built = folder / f"{file.parent.name}_{file.stem}.o"
        options = ("-c", *(_COUNTED if is_counted else ()))
        make(Program(tool, [file], options=options, includes=headers).command(built))
        if is_counted:
            _move_counters(built)
        objects.append(built)
    options = ("-Wl,-z,norelro", "--coverage")
    make(Program(tool, objects, options=options).command(folder / "model"))
    return folder / "model"


def _lines(folder: Path) -> Iterator[tuple[str, int, str, list[int]]]:
    """Yields file, line, function and the counts of the branches of each line of core/."""
    for counts in sorted(folder.glob("core_*.gcda")):
        said = subprocess.run(
            ["gcov", "--json-format", "--stdout", "-b", str(counts)],
            cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        for file in json.loads(said.splitlines()[0])["files"]:
            if Path(file["file"]).parent.name == "core":
                for line in file["lines"]:
                    taken = [branch["count"] for branch in line["branches"]]
                    name = line.get("function_name", "")
                    yield Path(file["file"]).name, line["line_number"], name, taken


def _by_file(folder: Path) -> dict[str, Branches]:
    """Adds up the instances of an inline function in several files."""
    sums: dict[tuple[str, int, str, int], int] = defaultdict(int)
    for file, line, function, taken in _lines(folder):
        for number, count in enumerate(taken):
            sums[file, line, function, number] += count
    found: dict[str, Branches] = defaultdict(Branches)
    for (file, _, function, _), count in sums.items():
        found[file].total += 1
        found[file].taken += count != 0
        if count == 0:
            found[file].missed.add(f"`{function}`")
    return dict(sorted(found.items()))


def table(tree: Tree, folder: Path) -> list[str]:
    """Returns the rows of the table in docs/explanation/bulkhead/coverage.md."""
    model = _build(tree, folder)
    run([model], seconds=SECONDS)
    found = _by_file(folder)
    total = sum(each.total for each in found.values())
    taken = sum(each.taken for each in found.values())
    return [
        *(each.row(name) for name, each in found.items()), f"| all | {total} | {taken} | |",
    ]  # fmt: skip


def check(folder: Path) -> str:
    rows = table(Tree(), folder)
    written = (ROOT / DOCUMENT).read_text().partition(f"{_HEAD}\n|---|---|---|---|\n")[2]
    if written.partition("\n\n")[0].splitlines() != rows:
        raise TestError("\n".join([f"{DOCUMENT} differs; its table is now", *rows]))
    return rows[-1]
