# SPDX-License-Identifier: MIT
"""The report in a real browser, as wide as a desk and as narrow as a phone."""

from __future__ import annotations

import os
import struct
from dataclasses import replace
from pathlib import Path

import answers
import browser
import pytest
from synthetic import run
from test_views import Samples

from ticklab.explain import answer
from ticklab.model import Curve, Fact
from ticklab.views import explained, html

pytestmark = pytest.mark.skipif(
    os.environ.get("TICKLAB_NO_BROWSER") == "1", reason="TICKLAB_NO_BROWSER=1"
)
DESK, PHONE = (1280, 900), (390, 844)


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "a report.html"
    html.write(run(), Samples(), path, {"rt": [Fact("licence", "Apache-2.0", "rt", "2026-11-20")]})
    return path


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_it_renders_without_errors_network_or_sideways_scrolling(
    report: Path, tmp_path: Path, size: tuple[int, int]
) -> None:
    with browser.page(tmp_path / "profile") as page:
        page.open(report, *size)
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(overflow) == 0
        assert page.evaluate("document.querySelectorAll('svg circle').length") > 0
        image = page.screenshot()
        assert struct.unpack(">II", image[16:24]) == size
        assert page.errors == []
        assert page.requests == [report.as_uri()]


def test_it_works_with_the_keyboard_alone(report: Path, tmp_path: Path) -> None:
    with browser.page(tmp_path / "profile") as page:
        page.open(report, *DESK)
        page.evaluate("document.querySelector('summary').focus()")
        page.press_enter()
        assert page.evaluate("document.querySelector('details').open") is True
        style = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate(style) == "solid"


def test_its_policy_blocks_scripts_and_addresses(report: Path, tmp_path: Path) -> None:
    """The policy that keeps the network out is in force, and the checks above would notice."""
    foreign = '<script>window.ran = true</script><img src="http://localhost:9/x.png">'
    report.write_text(report.read_text().replace("<main", foreign + "<main"))
    with browser.page(tmp_path / "profile") as page:
        page.open(report, *DESK)
        assert page.evaluate("window.ran") is None
        assert page.errors != []


def test_a_click_on_a_figure_opens_what_tells_why(tmp_path: Path) -> None:
    found = answer.parse(answers.document(listing=True))
    known = explained.Explained(found, found.spans[0], {})
    path = tmp_path / "report.html"
    html.write(run(), Samples(), path, explain=lambda r: known if r.kernel == "rt" else None)
    with browser.page(tmp_path / "profile") as page:
        page.open(path, *DESK)
        why = "document.querySelector('.why')"
        assert page.evaluate(f"{why}.open") is False
        page.evaluate("document.querySelector('a.main').click()")
        assert page.evaluate(f"{why}.open") is True
        assert page.evaluate(f"{why}.querySelectorAll('.flame rect').length") == 7
        assert "bench_give" in str(page.evaluate(f"{why}.querySelector('.tree').innerText"))
        listing = page.evaluate(f"{why}.querySelector('pre').textContent")
        assert "|       30" in str(listing)
        assert page.errors == []


@pytest.fixture
def swept(tmp_path: Path) -> Path:
    """The report of a sweep: rt's longest sample is known by its calls."""
    document = answers.document(listing=True)
    document["spans"][0] |= {"alone": True, "summed": 1}
    found = answer.parse(document)
    known = explained.Explained(found, found.spans[0], {})
    curve = Curve((1, 40, 39, 1), 2, "enter+0x2", "bench_give+0x4", {"enter": 2}, "kernel.c:7")
    one = run()
    records = tuple(replace(record, curve=curve) for record in one.records)
    path = tmp_path / "swept.html"
    html.write(
        replace(one, records=records),
        Samples(),
        path,
        explain=lambda record: known if record.kernel == "rt" else None,
    )
    return path


@pytest.mark.parametrize("width", [400, 1400])
def test_a_cell_leads_by_keyboard_to_its_tree_its_worst_sample_and_its_curve(
    swept: Path, tmp_path: Path, width: int
) -> None:
    with browser.page(tmp_path / "profile") as page:
        page.open(swept, width, 900)
        page.evaluate("document.querySelector('a.main').focus()")
        page.press_enter()
        why = "document.querySelector('.why')"
        assert page.evaluate(f"{why}.open") is True
        assert page.evaluate(f"{why}.querySelectorAll('.curve polygon').length") == 1
        text = " ".join(str(page.evaluate(f"{why}.innerText")).split())
        assert "pended before enter+0x2 (kernel.c:7), position 2 of 4" in text
        assert "Sample 1 of 3: 40 instructions" in text
        assert "bench_give" in str(page.evaluate(f"{why}.querySelector('.tree').innerText"))
        assert "|       30" in str(page.evaluate(f"{why}.querySelector('pre').textContent"))
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(overflow) == 0
        assert page.errors == []
        assert page.requests[0].partition("#")[0] == swept.as_uri()
        assert len(page.requests) == 1
