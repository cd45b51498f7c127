# SPDX-License-Identifier: MIT
"""Draws the pictures of the documents from the baseline, by the geometry of the report's charts.

A picture shows either instructions as a function of a parameter, or a plot that a suite declares
for the report (suite.toml, `plot`), whose unit is clocked cycles.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ticklab import paths
from ticklab.description import catalogue
from ticklab.description.model import Scenario
from ticklab.description.plot import Plot
from ticklab.documents import bars, svg, sweeps
from ticklab.documents.bars import AnswerBars, Bars
from ticklab.documents.baseline import Records
from ticklab.documents.by_parameter import Query
from ticklab.errors import TicklabError
from ticklab.names import choose
from ticklab.views import charts, figures
from ticklab.views.plots import HEIGHT, WIDTH, Drawing, Series

FOLDER = paths.CHECKOUT / "docs" / "images"


@dataclass(frozen=True)
class Lines:
    """A picture of the instructions of a scenario in suite `services` as a function of one
    parameter, with a line for each kernel."""

    file: str
    scenario: str
    parameter: str
    kernels: tuple[str, ...]


_KERNELS = ("freertos/default", "rt/default", "bulkhead/default", "freertos-mpu/default")
LINES = (
    Lines("waiters-block.svg", "semaphore-wait-block", "waiters", _KERNELS),
    Lines("waiters-flags.svg", "flags-set-unblock", "waiters", _KERNELS),
    Lines("waiters-flags-block.svg", "flags-wait-block", "waiters", _KERNELS),
)


@dataclass(frozen=True)
class Declared:
    """A picture of a plot that a suite for several nodes declares."""

    file: str
    title: str  # the same title as in suite.toml
    suite: str = "multiprocessor"
    board: str = "ibex-multi"


_NODE_KERNELS = ("bulkhead-central", "bulkhead-semi", "bulkhead-rtu")
DECLARED = (
    Declared("nodes-create.svg", "Figure 2 and 9: create a task on a slave"),
    Declared("nodes-switch.svg", "Figure 3 and 10: switch tasks on a slave"),
    Declared("nodes-bandwidth-master.svg", "Figure 4: bandwidth, both on the master"),
    Declared("nodes-bandwidth.svg", "Figure 5: bandwidth, slave to master"),
    Declared("nodes-latency.svg", "Figure 6 and 11: round trip, slave and master"),
    Declared("nodes-salesman.svg", "Figure 7: the travelling salesman by nodes"),
    Declared("growth-switch.svg", "A switch while all nodes switch", "growth", "ibex-16"),
    Declared("growth-signal.svg", "A step of a ring of nodes that signal", "growth", "ibex-16"),
)

_WORST = ("freertos/default", "rt/default", "bulkhead/default", "bulkhead/process-each")
_TESTS = (
    "cooperative-scheduling",
    "preemptive-scheduling",
    "message-processing",
    "synchronization",
    "synchronization-mutex",
)
_FREERTOS = ("default", "inline-critical", "asserts", "cubemx")
BARS = (
    Bars(
        "memory.svg",
        "code memory of one image with a queue, bytes, -Os",
        "suite=footprint optimise=Os columns=freertos/default,freertos-mpu/default,"
        "rt/default,rt-mpu/default,bulkhead/default",
        ("FreeRTOS", "FreeRTOS-MPU", "rt", "rt with MPU", "Bulkhead"),
        (
            ("kernel's code", "message-processing kernel-code"),
            ("kernel's constants", "message-processing kernel-constants"),
            ("port's code", "message-processing port-code"),
        ),
    ),
    Bars(
        "configuration.svg",
        "FreeRTOS by configuration, instructions",
        f"columns={','.join(f'freertos/{name}' for name in _FREERTOS)}",
        _FREERTOS,
        tuple((name, name) for name in _TESTS),
    ),
    Bars(
        "causes.svg",
        "a call that blocks and a call that wakes, instructions",
        f"suite=services columns={','.join(_WORST)}",
        ("FreeRTOS", "rt", "Bulkhead default", "Bulkhead process-each"),
        (
            ("semaphore take that blocks", "semaphore-wait-block"),
            ("semaphore give that wakes", "semaphore-signal-unblock"),
            ("queue receive that blocks", "queue-receive-block"),
            ("queue send that wakes", "queue-send-unblock"),
            ("mutex lock that blocks", "mutex-lock-block"),
            ("mutex unlock that wakes", "mutex-unlock-unblock"),
        ),
    ),
)
ANSWERS = (
    AnswerBars(
        "levels.svg",
        "FreeRTOS, longest time to the task in any service, instructions, Cortex-M4F",
        "levels/worst",
    ),
)


def draw(records: Records) -> list[str]:
    """Writes all pictures, and returns the names of those that changed."""
    changed = []
    for name, new in drawn(records).items():
        file = FOLDER / name
        if not file.exists() or file.read_text() != new:
            file.write_text(new)
            changed.append(str(file.relative_to(paths.CHECKOUT)))
    return changed


def drawn(records: Records) -> dict[str, str]:
    """Returns the text of each picture, by the name of its file."""
    found: dict[str, Iterator[str]] = {
        **{one.file: _svg(_drawing(one, records), "instructions") for one in LINES},
        **{one.file: _declared(one, records) for one in DECLARED},
        **{one.file: bars.draw(one, records) for one in BARS},
        **{one.file: bars.draw_answer(one) for one in ANSWERS},
        **{one.file: sweeps.draw(one, sweeps.read()) for one in sweeps.SWEEPS},
    }
    return {name: "\n".join(lines) + "\n" for name, lines in found.items()}


def _drawing(picture: Lines, records: Records) -> Drawing:
    plot = Plot(picture.scenario, picture.scenario, picture.parameter, {})
    return _of_lines(plot, [_line(picture, kernel, records) for kernel in picture.kernels])


def _of_lines(plot: Plot, lines: Sequence[Series]) -> Drawing:
    points = [point for line in lines for point in line.points]
    x, y = (charts.scale_from_zero(point[axis] for point in points) for axis in (0, 1))
    return Drawing(plot, x, y, tuple(lines))


def _line(picture: Lines, kernel: str, records: Records) -> Series:
    start = f"{kernel} O2 mps2-an386 services/{picture.scenario} {picture.scenario} "
    points = []
    for name, figure in records.items():
        params = dict(one.split("=") for one in name.removeprefix(start).split(",") if "=" in one)
        others = {**params, picture.parameter: "0"}.values()
        if name.startswith(start) and set(others) <= {"0", "unused"}:
            points.append((float(params[picture.parameter]), figure.mean))
    return Series(kernel.removesuffix("/default"), tuple(sorted(points)))


def _declared(picture: Declared, records: Records) -> Iterator[str]:
    suite = catalogue.find_suite(picture.suite)
    plots = {one.title: one for one in suite.plots}
    plot = choose("plot", picture.title, plots)
    (scenario,) = (one for one in suite.scenarios if one.name == plot.scenario)
    lines = [_of_plot(picture, plot, scenario, kernel, records) for kernel in _NODE_KERNELS]
    if not all(len(line.points) > 1 for line in lines):
        raise TicklabError(
            f"picture {picture.file} has no figures in the baseline",
            "see 'ticklab docs measure --help'",
        )
    drawing = _of_lines(plot, lines)
    return _svg(drawing, drawing.unit)


def _of_plot(
    picture: Declared, plot: Plot, scenario: Scenario, kernel: str, records: Records
) -> Series:
    columns = (f"{kernel}/machine-mode",)
    query = Query(plot.x, columns, picture.suite, picture.board, "O2+called")
    others = [f"{name}={value}" for name, value in plot.where.items()]
    points = []
    for value in scenario.values[plot.x]:
        name = query.name(query.kernels[0], scenario.name, [*others, f"{plot.x}={value}"])
        if name in records:
            points.append((float(value), plot.value(records[name].high or math.nan)))
    return Series(kernel.removeprefix("bulkhead-"), tuple(sorted(points)))


def _svg(drawing: Drawing, unit: str) -> Iterator[str]:
    title = f"{drawing.plot.title}: {unit} by {drawing.plot.x}"
    yield from svg.head(title, (-66, -24, 538, 240))
    yield from _axes(drawing)
    for number, line in enumerate(drawing.lines):
        yield from _polyline(drawing, line, svg.COLOURS[number], 12 + 16 * number)
    yield "</svg>"


def _axes(drawing: Drawing) -> Iterator[str]:
    for percent, value in drawing.y.ticks():
        y = round(HEIGHT - percent * HEIGHT / 100, 1)
        yield f"<line x1='0' x2='{WIDTH}' y1='{y}' y2='{y}' stroke='#777' stroke-opacity='0.3'/>"
        yield f"<text x='-6' y='{y + 4}' text-anchor='end'>{figures.count(value)}</text>"
    for value in drawing.values:
        x = round(drawing.x.percent(value) * WIDTH / 100, 1)
        yield f"<text x='{x}' y='{HEIGHT + 16}' text-anchor='middle'>{figures.count(value)}</text>"


def _polyline(drawing: Drawing, line: Series, colour: str, y: int) -> Iterator[str]:
    points = line.at(drawing.x, drawing.y)
    joined = " ".join(f"{x},{y}" for x, y in points)
    yield f"<polyline points='{joined}' fill='none' stroke='{colour}' stroke-width='2'/>"
    for point, value in zip(points, line.points, strict=True):
        dot = f"<circle cx='{point[0]}' cy='{point[1]}' r='3' fill='{colour}'>"
        yield f"{dot}<title>{line.label}: {figures.count(value[1])}</title></circle>"
    yield f"<text x='{WIDTH + 8}' y='{y}' fill='{colour}'>{line.label}</text>"
