# SPDX-License-Identifier: MIT
"""The types of the JSON of `ticklab test`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from ticklab.quality.runner import ItemResult
from ticklab.views import json
from ticklab.views.document import SCHEMA, Part, Schema


class TestFields(Part, frozen=True):
    """The results of the items that were run."""

    schema: Schema
    items: Annotated[
        list[ItemResult],
        Meta(
            description='`{"name", "passed", "cached", "seconds", "cpu_seconds", "output"}`: one '
            "for each item; a cached one was not run again"
        ),
    ]


def text(results: Sequence[ItemResult]) -> str:
    return json.dumps(TestFields(SCHEMA, list(results)))
