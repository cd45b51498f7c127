# SPDX-License-Identifier: MIT
"""Compares the JSON of commands, and files of users, with the published schemas."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from ticklab.documents import schemas


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schemas.file(name).read_text()))


def mistakes(name: str, document: Any) -> list[str]:
    found = _validator(name).iter_errors(document)
    return [f"{error.json_path}: {error.message}" for error in found]


def fits(name: str, document: Any) -> Any:
    """Returns the JSON document of a command, and requires that it fits its schema."""
    assert mistakes(name, document) == []
    return document
