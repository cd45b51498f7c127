# SPDX-License-Identifier: MIT
"""Draws the pictures of the documents from the baseline, by the geometry of the report's charts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ticklab import paths
from ticklab.description.plot import Plot
from ticklab.documents.baseline import Records
from ticklab.views import charts, figures
from ticklab.views.plots import HEIGHT, WIDTH, Drawing, Series

FOLDER = paths.CHECKOUT / "docs" / "images"

# Distinct for colour-blind readers, on white and on black.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_FONT = "font-family='system-ui, sans-serif' font-size='11' fill='#777'"


@dataclass(frozen=True)
class Picture:
    """Instructions of a scenario of suite services by one parameter, a line for each kernel."""

    file: str
    scenario: str
    parameter: str
    kernels: tuple[str, ...]


_KERNELS = ("freertos/default", "rt/default", "bulkhead/default", "freertos-mpu/default")
PICTURES = (
    Picture("waiters-block.svg", "semaphore-wait-block", "waiters", _KERNELS),
    Picture("waiters-flags.svg", "flags-set-unblock", "waiters", _KERNELS),
    Picture("waiters-flags-block.svg", "flags-wait-block", "waiters", _KERNELS),
)


def draw(records: Records) -> list[str]:
    """Writes all pictures, and returns the names of those that changed."""
    changed = []
    for picture in PICTURES:
        file, new = FOLDER / picture.file, svg(picture, records)
        if not file.exists() or file.read_text() != new:
            file.write_text(new)
            changed.append(str(file.relative_to(paths.CHECKOUT)))
    return changed


def svg(picture: Picture, records: Records) -> str:
    return "\n".join(_svg(_drawing(picture, records))) + "\n"


def _drawing(picture: Picture, records: Records) -> Drawing:
    lines = tuple(_line(picture, kernel, records) for kernel in picture.kernels)
    points = [point for line in lines for point in line.points]
    x, y = (charts.scale_from_zero(point[axis] for point in points) for axis in (0, 1))
    return Drawing(Plot(picture.scenario, picture.scenario, picture.parameter, {}), x, y, lines)


def _line(picture: Picture, kernel: str, records: Records) -> Series:
    start = f"{kernel} O2 mps2-an386 services/{picture.scenario} {picture.scenario} "
    points = []
    for name, figure in records.items():
        params = dict(one.split("=") for one in name.removeprefix(start).split(",") if "=" in one)
        others = {**params, picture.parameter: "0"}.values()
        if name.startswith(start) and set(others) <= {"0", "unused"}:
            points.append((float(params[picture.parameter]), figure.mean))
    return Series(kernel.removesuffix("/default"), tuple(sorted(points)))


def _svg(drawing: Drawing) -> Iterator[str]:
    title = f"{drawing.plot.title}: instructions by {drawing.plot.x}"
    yield "<!-- SPDX-License-Identifier: MIT -->"
    yield f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='-48 -24 520 240' {_FONT} role='img'>"
    yield f"<title>{title}</title><text x='0' y='-12'>{title}</text>"
    yield from _axes(drawing)
    for number, line in enumerate(drawing.lines):
        yield from _polyline(drawing, line, _COLOURS[number], 12 + 16 * number)
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
