# SPDX-License-Identifier: MIT
"""The reference has each key that a description may have, and each field of the JSON of a run."""

from __future__ import annotations

import re

from ticklab import paths

REFERENCE = paths.CHECKOUT / "docs" / "reference"
# A reader of a description takes a key by a call such as `table.text("key")`.
KEY = re.compile(
    r"\b\w*(?:table|scenario|source|memory|plan|span|expect)\w*\.\w+\(\s*\"([a-z_]+)\""
)
FIELD = re.compile(r"^ +\"(\w+)\": ", re.MULTILINE)


def source(folder: str, name: str) -> str:
    return (paths.CHECKOUT / "lab" / "src" / "ticklab" / folder / name).read_text()


def test_every_key_of_a_description_is_in_the_reference() -> None:
    readers = (source("description", name) for name in ("descriptions.py", "kernel.py"))
    keys = {key for text in readers for key in KEY.findall(text)}
    assert len(keys) > 30
    words = set(re.findall(r"\w+", (REFERENCE / "descriptions.md").read_text()))
    assert keys - words == set()


def test_every_field_of_the_json_is_in_the_reference() -> None:
    fields = set(FIELD.findall(source("views", "json.py")))
    assert len(fields) > 25
    words = set(re.findall(r"`(\w+)`", (REFERENCE / "json.md").read_text()))
    assert fields - words == set()
