# SPDX-License-Identifier: MIT
"""Counts the instructions of calls that lend memory, with Ticklab's observer, and compares them
with the table in docs/explanation/bulkhead/product.md.
"""

from __future__ import annotations

import json
from pathlib import Path

from build import ROOT, Image, TestError, Tree, run

DOCUMENT = "docs/explanation/bulkhead/product.md"
_HEAD = "| a call, its answer, and | instructions |"
# The names of the marks in target/lease_costs.c, with the rows of the table.
_ROWS = {
    "plain": "nothing else",
    "lent": "a lease that the server does not use",
    "copy-64": "a lease to which it copies 64 bytes",
    "copy-512": "… 512 bytes",
    "copy-1536": "… 1536 bytes",
    "uneven-512": "… 512 bytes, addresses with different remainders",
    "queue": "a message of 64 bytes through a queue of the kernel, without a call",
}
# Only the call that ends with a tick waits for one.
_TICK = ("-DBENCH_TIMER_HZ=1000000", "-DBENCH_TICK_HZ=100", "-DBULKHEAD_TICK_CYCLES=10000")
_IMAGE = Image(
    "target",
    "lease_costs.toml",
    ("lease_costs.c", "report.c"),
    (*_TICK, f"-I{ROOT / 'marks'}"),
)


def _spans(image: Path, *marks: str) -> dict[str, dict[str, float]]:
    """Returns the instructions of each span between the marks."""
    words = [word for mark in marks for word in ("--mark", mark)]
    written = image.with_suffix(".json")
    run([
        ROOT / "ticklab", "observe", image, "--no-model", *words, "--until", "marks=20",
        "--json", written,
    ])  # fmt: skip
    records = json.loads(written.read_text())["records"]
    return {each["span"]: each["instructions"] for each in records}


def table(folder: Path) -> list[str]:
    """Returns the rows of the document's table: for each kind of call, the most frequent number of
    instructions."""
    image = Tree().image(folder, _IMAGE, "O2")
    counted = {mark: _spans(image, f"pass=mark:{mark}")["pass"]["p50"] for mark in _ROWS}
    return [f"| {text} | {counted[mark]:.0f} |" for mark, text in _ROWS.items()]


def check(folder: Path) -> str:
    rows = table(folder)
    written = (ROOT / DOCUMENT).read_text().partition(f"{_HEAD}\n|---|---|\n")[2]
    if written.partition("\n\n")[0].splitlines() != rows:
        raise TestError("\n".join([f"{DOCUMENT} differs; its table is now", *rows]))
    return f"{len(rows)} kinds of calls"
