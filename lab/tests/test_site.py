# SPDX-License-Identifier: MIT
"""Tests the documentation site: it has every document, its generated parts are complete, and its
pages request nothing from other hosts."""

from __future__ import annotations

import re

import pytest

from ticklab import bootstrap, cli
from ticklab.description.features import FEATURES
from ticklab.documents import bulkhead_api, command_line, services, site

# The resources that a page loads: not the targets of links.
LOADED = re.compile(
    r"""(?:<(?:script|img|iframe|source)[^>]*\ssrc|<link[^>]*\shref)=["']([^"']+)"""
)
STYLED = re.compile(r"""(?:url\(|@import )["']?([^"')]+)""")
FOREIGN = re.compile(r"^(https?:)?//")


def test_every_document_is_in_the_navigation_once() -> None:
    text = (site.DOCS / "mkdocs.yml").read_text().partition("\nnav:\n")[2]
    named = re.findall(r": ([\w/-]+\.md)$", text, flags=re.MULTILINE)
    documents = {str(file.relative_to(site.DOCS)) for file in site.DOCS.rglob("*.md")}
    assert sorted(named) == sorted(documents - {"figures/README.md"})


def test_the_command_line_has_every_command_and_option() -> None:
    text = command_line.markdown()
    for name, parser in cli.parsers().items():
        assert f"## ticklab {name}\n" in text
        for option in set(re.findall(r"--[a-z-]+", parser.format_usage())):
            assert option in text
    assert "%(" not in text


def test_the_interface_of_bulkhead_has_every_call() -> None:
    headers = "".join((bulkhead_api.FOLDER / name).read_text() for name in bulkhead_api.HEADERS)
    calls = set(re.findall(r"\bbulkhead_[a-z_]+(?=\()", headers))
    assert len(calls) > 30
    assert calls <= set(re.findall(r"\bbulkhead_[a-z_]+", bulkhead_api.markdown()))


def test_the_needs_of_every_scenario_and_the_features_of_every_kernel_are_listed() -> None:
    needs, kernels = services.needs(), services.kernels()
    assert "| thread-metric | `message-processing` | `queue` | `queue.copies` |" in needs
    assert "| thread-metric | `bare-increment` | none |  |" in needs
    assert all(f"| `{name}` |" in kernels for name in FEATURES)
    assert len({line.count("|") for line in kernels.splitlines()}) == 1


def test_a_list_and_a_table_begin_after_an_empty_line() -> None:
    text = "Text:\n- one\n  more\n- two\nText\n| a |\n|---|\n```\n- code\nin it\n| code |\n```\n"
    expected = ["Text:", "", "- one", "  more", "- two", "Text", "", "| a |", "|---|", ""]
    expected += ["```", "- code", "in it", "| code |", "```"]
    assert site.prepared(text).splitlines() == expected


@pytest.mark.long  # installs the packages of the site
def test_the_site_is_built_without_a_warning_and_asks_no_other_host() -> None:
    bootstrap.ensure(("python", "documentation"), [], agreed=True)
    html = site.build().parent
    pages = list(html.rglob("*.html"))
    assert len(pages) > 25
    loaded = [(page, url) for page in pages for url in LOADED.findall(page.read_text())]
    styles = [
        (file, url) for file in html.rglob("*.css") for url in STYLED.findall(file.read_text())
    ]
    assert len(loaded) > 100
    assert [(file.name, url) for file, url in loaded + styles if FOREIGN.match(url)] == []
