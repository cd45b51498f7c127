# SPDX-License-Identifier: MIT
"""Measures the size of the RTU: gates and flip-flops from yosys, written into rtl/README.md.

Run it as a program, in rtl/: python3 -m tools.area"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tools import sources
from tools.shell import CheckError, run

BEGIN, END = "<!-- area: written by tools/area.py -->", "<!-- /area -->"
SIZES = ({"NumTasks": 16, "NumSemaphores": 8}, {"NumTasks": 64, "NumSemaphores": 32})


def _measure(root: Path, sizes: dict[str, int], work: Path) -> tuple[int, int, int]:
    """Returns two-input gates, flip-flops, and bits of real memory (the wake-up times)."""
    work.mkdir(parents=True, exist_ok=True)
    report = work / "area.json"
    files = " ".join(str(path) for path in sources.rtu(root))
    settings = "".join(f" -set {name} {value}" for name, value in sizes.items())
    # Small tables become registers; the wake-up times, whose source requests a memory, stay one.
    script = (
        f"read_verilog -sv -I{root / 'rtl'} {files}; chparam{settings} rtu; hierarchy -top rtu; "
        "delete t:$assert t:$cover; proc; flatten; opt; memory -nomap; "
        "memory_map -attr !ram_style; "
        "opt -full; techmap; abc -g AND,NAND,OR,NOR,XOR,XNOR,MUX; opt_clean; memory_unpack; "
        f"tee -q -o {report} stat -json"
    )
    run(["yosys", "-q", "-p", script], "yosys cannot measure the RTU")
    return _count(json.loads(report.read_text()))


def _count(report: dict[str, Any]) -> tuple[int, int, int]:
    cells = report["design"]["num_cells_by_type"]
    flip_flops = sum(count for cell, count in cells.items() if re.match(r"\$_(S?DFF|ALDFF)", cell))
    gates = sum(
        count
        for cell, count in cells.items()
        if re.match(r"\$_[A-Z]+_$", cell) and "DFF" not in cell
    )
    return gates, flip_flops, report["design"]["num_memory_bits"]


def table(root: Path) -> str:
    rows = [
        "| tasks | semaphores | nodes | gates | flip-flops | memory bits |",
        "|---|---|---|---|---|---|",
    ]
    for sizes in SIZES:
        gates, flip_flops, bits = _measure(root, sizes, sources.HOME / "area")
        size = f"{sizes['NumTasks']} | {sizes['NumSemaphores']} | 4"
        rows.append(f"| {size} | {gates:,} | {flip_flops:,} | {bits:,} |")
    return "\n".join(rows)


def write(root: Path) -> str:
    readme = root / "README.md"
    before, found, rest = readme.read_text().partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not found or not closed:
        raise CheckError(f"{readme} has lost its marks {BEGIN} and {END}")
    readme.write_text(f"{before}{BEGIN}\n{table(root)}\n{END}{after}")
    return "the area is in rtl/README.md"


if __name__ == "__main__":
    print(write(sources.RTL))
