# SPDX-License-Identifier: MIT
"""The report in a real browser, as wide as a desk and as narrow as a phone."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import answers
import browser
import pytest
from synthetic import run
from test_views import Samples

from ticklab.explain import answer
from ticklab.model import Fact
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
