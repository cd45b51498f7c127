# SPDX-License-Identifier: MIT
"""The reference has each field of the JSON of a run."""

from __future__ import annotations

import re

from ticklab import paths

REFERENCE = paths.CHECKOUT / "docs" / "reference"
FIELD = re.compile(r"^ +\"(\w+)\": ", re.MULTILINE)


def source(folder: str, name: str) -> str:
    return (paths.CHECKOUT / "lab" / "src" / "ticklab" / folder / name).read_text()


def test_every_field_of_the_json_is_in_the_reference() -> None:
    fields = set(FIELD.findall(source("views", "json.py")))
    assert len(fields) > 25
    words = set(re.findall(r"`(\w+)`", (REFERENCE / "json.md").read_text()))
    assert fields - words == set()
