# SPDX-License-Identifier: MIT
"""Tests the HTML report of `profile`: complete without scripts, for any image, in a real
browser."""

from __future__ import annotations

import os
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import browser
import explanation_fixture
import guests
import pytest
from console import ticklab
from test_profile import SERVED
from test_report_in_browser import OVERFLOW, TOO_FAINT

from ticklab.description.kernel_table import Known
from ticklab.explain import answer, profile
from ticklab.views import profile_page

# A hostile name: it would be an HTML element if it were not escaped, and it is wider than a phone.
HOSTILE = "</title></style><img src=//host/x onerror=a()>" + "wide" * 40
ABOUT = profile_page.About(HOSTILE, "00" * 32, HOSTILE, f"the budget was spent in {HOSTILE}")


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        assert not {"src", "onerror"} & {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += f"{data} "


def parsed(page: str) -> Elements:
    found = Elements()
    found.feed(page)
    return found


def hostile(value: Any, key: str = "") -> Any:
    """Returns an answer of the observer in which an image chose every name."""
    if isinstance(value, dict):
        return {name: hostile(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [hostile(each, key) for each in value]
    named = isinstance(value, str) and key in ("name", "file", "line", "notes", "calls")
    return f"{value} {HOSTILE}" if named and value != "instructions" else value


def page(document: dict[str, Any], **changes: Any) -> str:
    found = answer.parse(document)
    summary = replace(
        profile.summarise(found, Known("Mine", frozenset({"main"}), ("enter*",))), **changes
    )
    return profile_page.render(summary, found, ABOUT)


def full() -> dict[str, Any]:
    """Returns an answer with every part, and names that an image chose."""
    latency = {"count": 3, "shortest": 1, "median": 12, "longest": 77}
    after = {"function": 2, "line": "kernel.c:7"}
    interrupt = {"name": "Timer", "taken": 4, "entry": {**latency, "after": after}, "wake": None}
    document = {**explanation_fixture.document(), "notes": ["a"], "interrupts": [interrupt]}
    found: dict[str, Any] = hostile(document)
    return found


def test_every_part_is_there_and_no_name_becomes_an_element() -> None:
    found = parsed(page(full()))
    assert not {"img", "script", "link", "iframe"} & found.names
    for word in ("PendSV_Handler", "bench_give", "kernel.c:7", "Timer", "Mine", "77", "48"):
        assert word in found.text, word
    assert "default-src 'none'" in page(full())


def test_an_empty_part_says_that_it_is_empty() -> None:
    document = {**explanation_fixture.document(), "tasks": [], "exceptions": []}
    span = document["spans"][0]
    document["spans"] = [{**span, "total": [0, 0, 0], "nodes": [], "code": []}]
    parts = ("tasks", "exceptions", "functions", "masked")
    empty = page(document, **dict.fromkeys(parts, ()), kernel=None, in_kernel=None)
    said = parsed(empty).text
    for words in ("No task", "No exception", "No instruction", "never masked", "No stack"):
        assert words in said
    assert "Not known on this architecture" in said
    assert "No interrupt" in parsed(page(document, interrupts=())).text


def test_the_command_writes_the_page_of_an_image_with_hostile_names(tmp_path: Path) -> None:
    name = '"<img src=x onerror=a()>"'
    function = f".global {name}\n.type {name}, %function\n.thumb_func\n{name}:\n"
    source = SERVED.replace("function work\n", function).replace("bl work", f"bl {name}")
    image, report = guests.build(tmp_path, source), tmp_path / "a profile.html"
    words = ("profile", image, "--instructions", "5000", "--no-model", "-o", report)
    status, _, err = ticklab(*words)
    assert status == 0, err
    found = parsed(report.read_text())
    assert "img" not in found.names
    assert found.text.count("<img src=x onerror=a()>") >= 3, "function, call and masked stretch"
    assert "modelled</span> " not in found.text
    status, _, err = ticklab(*words[:-1], tmp_path / "no folder" / "a.html")
    assert status == 1
    assert "-o" in err


@pytest.mark.skipif(os.environ.get("TICKLAB_NO_BROWSER") == "1", reason="TICKLAB_NO_BROWSER=1")
def test_the_page_fits_a_phone_and_a_desk_and_asks_for_nothing(
    tmp_path: Path, chromium: browser.Browser
) -> None:
    report = tmp_path / "profile.html"
    report.write_text(page(full()))
    with chromium.page() as tab:
        tab.forbid_scripts()
        for width in (390, 1400):
            tab.open(report, width, 900)
            tab.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            assert tab.evaluate(OVERFLOW) == 0, width
            assert tab.evaluate("document.querySelectorAll('.flame rect').length") == 7
        for scheme in ("light", "dark"):
            tab.prefer(scheme)
            assert tab.evaluate(TOO_FAINT) == []
        assert tab.errors == []
        assert set(tab.requests) == {report.as_uri()}
