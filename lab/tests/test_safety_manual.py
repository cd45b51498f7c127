# SPDX-License-Identifier: MIT
"""Tests that the safety manual names only tests that exist."""

from __future__ import annotations

import re

import pytest

from ticklab import paths
from ticklab.errors import UsageError
from ticklab.quality import catalogue
from ticklab.quality.item import ItemOptions

MANUAL = paths.CHECKOUT / "docs" / "explanation" / "bulkhead" / "safety-manual.md"
EVERY = catalogue.every(ItemOptions(long=True))


def claims() -> list[tuple[str, list[str]]]:
    """Returns each claim with the names of its tests."""
    parts = re.split(r"^### (C\d+)\. ", MANUAL.read_text(), flags=re.MULTILINE)[1:]
    return [
        (name, re.findall(r"`((?:bulkhead|mutants)/[a-z0-9/-]+)`", text))
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    ]


@pytest.mark.parametrize(("claim", "tests"), claims())
def test_each_claim_names_tests_that_exist(claim: str, tests: list[str]) -> None:
    assert tests, f"{claim} names no test"
    for name in tests:
        assert catalogue.named(EVERY, [name])


def test_a_name_of_no_test_is_refused() -> None:
    with pytest.raises(UsageError):
        catalogue.named(EVERY, ["bulkhead/proof/nothing"])


def test_each_claim_has_an_argument_and_what_is_open() -> None:
    text = MANUAL.read_text()
    assert text.count("*Argument.*") == text.count("*Open.*") == len(claims())
