# SPDX-License-Identifier: MIT
"""Tests the report in a real browser, as wide as a desktop and as narrow as a phone."""

from __future__ import annotations

import os
import struct
from dataclasses import replace
from pathlib import Path

import browser
import explanation_fixture
import pytest
import synthetic
from synthetic import FEATURES, record, run
from test_views import Samples

from ticklab.description.model import Curve, Fact, Record
from ticklab.explain import answer
from ticklab.views import explained, html

pytestmark = pytest.mark.skipif(
    os.environ.get("TICKLAB_NO_BROWSER") == "1", reason="TICKLAB_NO_BROWSER=1"
)
DESK, PHONE = (1400, 900), (400, 844)
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
FACTS = {"rt": [Fact("licence", "Apache-2.0", "rt", "2026-11-20")]}

# Returns every text and every shape that carries a figure and whose contrast to its background is
# too low. WCAG 2.2 requires 4.5 for text, and 3 for large text (1.4.3) and for shapes (1.4.11).
TOO_FAINT = """
(() => {
  const channels = (text) => text.match(/[\\d.]+/g).map(Number);
  const linear = (c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => [r, g, b].map((c) => linear(c / 255))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const background = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  const check = (element, colour, least) => {
    const ratio = contrast(channels(colour), background(element));
    if (ratio < least) found.push([element.className, element.textContent, colour, ratio]);
  };
  const hasText = (element) => [...element.childNodes]
    .some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
  for (const element of document.querySelectorAll('body *')) {
    const style = getComputedStyle(element);
    if (element.matches('.bound, .dot, .clean, .interrupted, .win')) {
      if (element.closest('svg')) check(element, style.fill, 3);
    }
    if (element.closest('svg') || !hasText(element)) continue;
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    check(element, style.color, isLarge ? 3 : 4.5);
  }
  return found;
})()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds the reports that several tests read and none changes."""
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="module")
def report(folder: Path) -> Path:
    path = folder / "a report.html"
    one = run()
    isolating = {**FEATURES, "isolation": True}
    records = (*one.records, *(replace(r, layout=1) for r in one.records if r.kernel == "rt"))
    records += (replace(record("guard", cycles=520), features=isolating),)
    sizes = {"code": 4100, "constants": 200, "variables": 99_000, "port": 900, "image": 8000}
    provenance = {**one.provenance, "footprints": {"rt/default/O2/board": {"yield": sizes}}}
    shown = replace(one, records=records, provenance=provenance)
    html.write(shown, Samples(), path, html.About(FACTS, {"guard": "freertos"}))
    return path


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_it_renders_without_errors_network_or_sideways_scrolling(
    report: Path, chromium: browser.Browser, size: tuple[int, int]
) -> None:
    with chromium.page() as page:
        page.open(report, *size)
        page.unfold()
        assert page.evaluate(OVERFLOW) == 0
        assert page.evaluate("document.querySelectorAll('svg circle').length") > 0
        image = page.screenshot()
        assert struct.unpack(">II", image[16:24]) == size
        assert page.errors == []
        assert page.requests == [report.as_uri()]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_contrasts_with_its_background(
    report: Path, chromium: browser.Browser, scheme: str
) -> None:
    with chromium.page() as page:
        page.open(report, *DESK)
        page.prefer(scheme)
        assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") is (
            scheme == "dark"
        )
        assert page.evaluate(TOO_FAINT) == []
        page.evaluate("document.querySelector('.counted').style.color = '#8a9199'")
        assert len(page.evaluate(TOO_FAINT)) == (scheme == "light")


def test_tables_say_what_is_unbeaten_what_isolation_costs_and_what_images_weigh(
    report: Path, chromium: browser.Browser
) -> None:
    with chromium.page() as page:
        page.open(report, *DESK)
        page.unfold()
        best = page.evaluate("document.querySelector('td.best').innerText")
        assert "192" in best
        assert "unbeaten" in best
        prices = page.evaluate("[...document.querySelectorAll('td.price')].map(e => e.innerText)")
        assert "guard ÷ freertos" in " ".join(prices)
        text = page.evaluate("document.body.innerText")
        assert "4,300" in text
        assert "Cycles over 2 placements" in text


@pytest.fixture(scope="module")
def wide(folder: Path) -> Path:
    """A report of 12 kernels in 40 scenarios."""
    names = [f"kernel-{number}/a-configuration" for number in range(12)]
    isolating = {**FEATURES, "isolation": True}
    records = tuple(
        replace(record(name, f"scenario-{row}", cycles=1_200_000 + row), features=isolating)
        for name in (*names, "guard")
        for row in range(40)
    )
    records += tuple(record("plain", f"scenario-{row}") for row in range(40))
    path = folder / "wide.html"
    shown = replace(run(), records=records)
    html.write(shown, Samples(), path, html.About(FACTS, {"guard": "plain"}))
    return path


# Scrolls to a figure in the middle of a table, and returns whether the names of its column and of
# its row are visible.
IN_SIGHT = """
(() => {
  const rows = document.querySelectorAll('.matrix tbody tr');
  const cell = rows[30].children[9];
  cell.scrollIntoView({block: 'center', inline: 'center'});
  const at = cell.getBoundingClientRect();
  const column = document.querySelectorAll('.matrix thead th')[9].getBoundingClientRect();
  const row = rows[30].children[0].getBoundingClientRect();
  const nav = document.querySelector('nav').getBoundingClientRect();
  return [column.top >= nav.bottom - 1, column.bottom <= at.top, row.left >= 0,
          row.right <= at.right, Math.abs(column.left - at.left) < 2];
})()
"""


@pytest.mark.parametrize("size", [DESK, (800, 1000), PHONE])
def test_heads_stay_in_sight_while_a_table_scrolls(
    wide: Path, chromium: browser.Browser, size: tuple[int, int]
) -> None:
    with chromium.page() as page:
        page.open(wide, *size)
        page.unfold()
        assert page.evaluate(IN_SIGHT) == [True] * 5
        assert page.evaluate(IN_SIGHT.replace(".matrix", ".heat")) == [True] * 5
        assert page.evaluate(OVERFLOW) == 0


# Texts of which something lies beyond the page, or inside a box that hides it.
CUT = """
(() => {
  const width = document.documentElement.clientWidth;
  const range = document.createRange();
  const beyond = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (!node.textContent.trim() || node.parentElement.closest('.hidden, .flame, .plot')) continue;
    range.selectNodeContents(node);
    const right = Math.max(0, ...[...range.getClientRects()].map((box) => box.right));
    if (right > width + 0.5) beyond.push([node.textContent.trim(), right]);
  }
  return beyond.slice(0, 5);
})()
"""
A4 = (718, 1000)  # without its margins: 190 mm at 96 pixels an inch


def test_nothing_is_cut_on_paper(wide: Path, report: Path, chromium: browser.Browser) -> None:
    for file in (wide, report):
        with chromium.page() as page:
            page.open(file, *A4)
            page.put_on_paper()
            page.unfold()
            assert page.evaluate(CUT) == []
            assert page.evaluate(OVERFLOW) == 0
            cells = "document.querySelectorAll('.matrix tbody tr')[0].children.length"
            shown = "getComputedStyle(document.querySelector('.matrix td'), '::before').content"
            assert page.evaluate(cells) > 3
            first = page.evaluate(
                "document.querySelectorAll('.matrix thead th')[1].firstChild.data"
            )
            assert str(first).strip() in page.evaluate(shown)


def test_the_first_tab_leads_past_the_navigation(report: Path, chromium: browser.Browser) -> None:
    with chromium.page() as page:
        page.open(report, *DESK)
        page.press_tab()
        assert page.evaluate("document.activeElement.className") == "skip"
        assert page.evaluate("document.activeElement.getBoundingClientRect().left") > 0
        stops = set()
        for _ in range(40):
            page.press_tab()
            stops.add(page.evaluate("document.activeElement.tagName"))
        assert {"A", "SUMMARY", "DIV"} <= stops  # links, folded parts, tables that scroll


def test_it_works_with_the_keyboard_alone(report: Path, chromium: browser.Browser) -> None:
    with chromium.page() as page:
        page.open(report, *DESK)
        page.evaluate("document.querySelector('summary').focus()")
        page.press_enter()
        assert page.evaluate("document.querySelector('details').open") is True
        style = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate(style) == "solid"


def test_its_policy_blocks_scripts_and_addresses(report: Path, chromium: browser.Browser) -> None:
    """The policy that keeps the network out is in force, and the checks above would notice."""
    foreign = '<script>window.ran = true</script><img src="http://localhost:9/x.png">'
    report.write_text(report.read_text().replace("<main", foreign + "<main"))
    with chromium.page() as page:
        page.open(report, *DESK)
        assert page.evaluate("window.ran") is None
        assert page.errors != []


def test_a_click_on_a_figure_opens_the_explanation(
    tmp_path: Path, chromium: browser.Browser
) -> None:
    found = answer.parse(explanation_fixture.document(listing=True))
    known = explained.Explained(found, found.spans[0], {})
    path = tmp_path / "report.html"
    html.write(run(), Samples(), path, explain=lambda r: known if r.kernel == "rt" else None)
    with chromium.page() as page:
        page.open(path, *DESK)
        why = "document.querySelector('.why')"
        assert page.evaluate(why) is None
        page.evaluate("document.querySelector('.all-figures').open = true")
        page.wait("document.querySelector('a.main') !== null")
        page.evaluate("document.querySelector('a.main').click()")
        page.wait(f"{why}?.open")
        assert page.evaluate(f"{why}.querySelectorAll('.flame rect').length") == 7
        assert "bench_give" in str(page.evaluate(f"{why}.querySelector('.tree').innerText"))
        listing = page.evaluate(f"{why}.querySelector('pre').textContent")
        assert "|       30" in str(listing)
        assert "low 48 low > bench_give" in " ".join(
            str(page.evaluate(f"{why}.textContent")).split()
        )
        assert page.errors == []


@pytest.fixture(scope="module")
def swept(folder: Path) -> Path:
    """The report of a sweep in which the calls of rt's longest sample are known."""
    document = explanation_fixture.document(listing=True)
    document["spans"][0] |= {"alone": True, "summed": 1}
    found = answer.parse(document)
    known = explained.Explained(found, found.spans[0], {})
    curve = Curve((1, 40, 39, 1), 2, "enter+0x2", "bench_give+0x4", {"enter": 2}, "kernel.c:7")
    one = run()
    records = tuple(synthetic.swept(each, curve) for each in one.records)
    path = folder / "swept.html"
    html.write(
        replace(one, records=records),
        Samples(),
        path,
        explain=lambda record: known if record.kernel == "rt" else None,
    )
    return path


@pytest.mark.parametrize("width", [400, 1400])
def test_a_cell_leads_by_keyboard_to_its_tree_its_worst_sample_and_its_curve(
    swept: Path, chromium: browser.Browser, width: int
) -> None:
    with chromium.page() as page:
        page.open(swept, width, 900)
        page.evaluate("document.querySelector('.all-figures').open = true")
        page.wait("document.querySelector('a.main') !== null")
        page.evaluate("document.querySelector('a.main').focus()")
        page.press_enter()
        why = "document.querySelector('.why')"
        page.wait(f"{why}?.open")
        assert page.evaluate(f"{why}.querySelectorAll('.curve polygon').length") == 1
        text = " ".join(str(page.evaluate(f"{why}.innerText")).split())
        assert "pended before enter+0x2 (kernel.c:7), position 2 of 4" in text
        assert "Sample 1 of 3: 40 instructions" in text
        assert "bench_give" in str(page.evaluate(f"{why}.querySelector('.tree').innerText"))
        assert "|       30" in str(page.evaluate(f"{why}.querySelector('pre').textContent"))
        page.unfold()
        assert page.evaluate(OVERFLOW) == 0
        assert page.errors == []
        assert page.requests[0].partition("#")[0] == swept.as_uri()
        assert len(page.requests) == 1


# --- The answer -----------------------------------------------------------------------------------

CELLS = "[...document.querySelectorAll('.heat tbody tr:first-child td b')].map(e => e.innerText)"
ROWS = """
[...document.querySelectorAll('.heat tbody tr')]
  .filter(e => !e.hidden).map(e => e.cells[0].innerText)
"""
CHOOSE = """
(() => {{
  const select = document.querySelector('[data-choose={}]');
  select.value = '{}';
  select.dispatchEvent(new Event('input', {{bubbles: true}}));
}})()
"""


@pytest.fixture
def answered(tmp_path: Path) -> Path:
    """A report in which rt is faster in one test, and undecided in the other one."""
    records = (
        record("freertos", "a", 200, 200, 0, 0),
        record("freertos", "b", 100, 200, 0, 0),
        record("rt", "a", 100, 100, 0, 0),
        record("rt", "b", 150, 190, 0, 20),
    )
    path = tmp_path / "answered.html"
    html.write(replace(run(), records=records), Samples(), path)
    return path


def test_the_first_screen_answers_with_and_without_scripts(
    answered: Path, chromium: browser.Browser
) -> None:
    for scripted in (True, False):
        with chromium.page() as page:
            if not scripted:
                page.forbid_scripts()
            page.open(answered, *DESK)
            lead = str(page.evaluate("document.querySelector('.lead').innerText"))
            assert "rt is unbeaten, ~0.68–0.73." in lead
            assert page.evaluate(CELLS) == ["~200.0–200.0 cycles", "~0.50"]
            hatched = page.evaluate("document.querySelector('.heat td.undecided').innerText")
            assert "~0.95–1.05" in str(hatched)
            is_long_part_there = page.evaluate("document.querySelector('.matrix') !== null")
            assert is_long_part_there is not scripted


def test_another_reference_and_unit_fill_the_same_cells(
    answered: Path, chromium: browser.Browser
) -> None:
    with chromium.page() as page:
        page.open(answered, *DESK)
        page.evaluate(CHOOSE.format("reference", 1))
        assert page.evaluate(CELLS) == ["~2.00", "~100.0–100.0 cycles"]
        assert "rt's" in str(page.evaluate("document.querySelector('.lead').innerText"))
        page.evaluate(CHOOSE.format("unit", "us"))
        assert page.evaluate(CELLS) == ["~2.00", "~4.00–4.00 µs"]
        page.evaluate(CHOOSE.format("unit", "instructions"))
        assert page.evaluate(CELLS) == ["2.000", "100 instr."]
        assert page.errors == []


def with_work(one: Record, masks: int, checks: int) -> Record:
    return replace(one, work={"critical-sections": {"f": masks}, "checks": {"g": checks}})


def test_each_cell_has_its_cause_against_the_chosen_reference(
    answered: Path, chromium: browser.Browser
) -> None:
    records = (with_work(record(), 180, 12), with_work(record("rt", instructions=130), 120, 10))
    html.write(replace(run(), records=records), Samples(), answered)
    causes = "[...document.querySelectorAll('.because')].map(e => e.textContent)"
    own = ["192: 180 in critical sections", "130: 120 in critical sections"]
    dearer = "+48 % of instructions: 46 % in critical sections"
    with chromium.page() as page:
        page.forbid_scripts()
        page.open(answered, *DESK)
        fewer = "-32 % of instructions: 31 % in critical sections"
        assert page.evaluate(causes) == ["", fewer, own[0], "-62: 60 in critical sections"]
    with chromium.page() as page:
        page.open(answered, *DESK)
        page.evaluate(CHOOSE.format("reference", 1))
        assert page.evaluate(causes) == [
            dearer, "", "+62: 60 in critical sections", own[1]
        ]  # fmt: skip


def test_heads_and_names_of_tests_are_whole_on_paper(
    answered: Path, chromium: browser.Browser
) -> None:
    """Chromium does not repeat buttons in the heads of tables that it prints on each page."""
    names = ("synchronization-notification", "interrupt-preemption")
    records = [record(f"kernel-{k}/config", name) for k in range(7) for name in names]
    html.write(replace(run(), records=tuple(records)), Samples(), answered)
    split = """
    [...document.querySelectorAll('.heat tbody th')].filter((th) => {
      const text = th.firstChild, range = document.createRange();
      return [...text.data.matchAll(/[a-z]+/g)].some((word) => {
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return range.getClientRects().length > 1;
      });
    }).map((th) => th.textContent)
    """
    with chromium.page() as page:
        page.open(answered, *A4)
        page.put_on_paper()
        assert page.evaluate(split) == []
        button = "getComputedStyle(document.querySelector('.heat thead button')).display"
        assert page.evaluate(button) == "contents"


def test_rows_are_sorted_and_filtered(answered: Path, chromium: browser.Browser) -> None:
    with chromium.page() as page:
        page.open(answered, *DESK)
        assert page.evaluate(ROWS) == ["a", "b"]
        head = "document.querySelectorAll('.heat thead button')[2]"
        page.evaluate(f"{head}.click(), {head}.click()")
        assert page.evaluate(ROWS) == ["b", "a"]
        page.evaluate(CHOOSE.format("filter", "a"))
        assert page.evaluate(ROWS) == ["a"]


def test_most_elements_are_made_when_they_are_opened(wide: Path, chromium: browser.Browser) -> None:
    count = "document.getElementsByTagName('*').length"
    with chromium.page() as page:
        page.open(wide, *DESK)
        first = int(str(page.evaluate(count)))
        page.unfold()
        assert 3 * first < int(str(page.evaluate(count)))


def test_one_suite_is_shown_at_a_time(answered: Path, chromium: browser.Browser) -> None:
    one = replace(run(), records=(record("freertos"), record("rt")))
    others = tuple(replace(each, suite="services") for each in one.records)
    html.write(replace(one, records=(*one.records, *others)), Samples(), answered)
    shown = "[...document.querySelectorAll('.suite')].map(e => e.checkVisibility())"
    with chromium.page() as page:
        page.open(answered, *DESK)
        assert page.evaluate(shown) == [True, False]
        page.evaluate("document.querySelectorAll('nav a')[1].click()")
        page.wait(f"String({shown}) === 'false,true'")
        page.put_on_paper()
        assert page.evaluate(shown) == [True, True]
