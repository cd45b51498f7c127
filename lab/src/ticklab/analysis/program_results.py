# SPDX-License-Identifier: MIT
"""Reads the results that a program of the suite rt-tests (for example cyclictest) wrote as JSON,
from the console of the scenario that ran the program (bench/suites/rt-tests/run_program.c).

The programs report microseconds, or nanoseconds if their JSON says so. These are times of the
guest's clock, on which one instruction takes one nanosecond."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ticklab.description.result import Reported
from ticklab.errors import TicklabError

_BEGIN = "ticklab: results\n"
_NS_PER_US = 1000


def read(console: str) -> Reported:
    """Returns the results of the first thread of the JSON. In a program with two threads, the
    receiving thread measures and is listed first."""
    try:
        document, _ = json.JSONDecoder().raw_decode(console.partition(_BEGIN)[2].lstrip())
        return _reported(document, document["thread"]["0"])
    except (ValueError, KeyError, TypeError) as error:
        raise TicklabError(
            f"the program's results are not as rt-tests 2.4 writes them: {error!r}",
            "see the console with 'ticklab observe', or pin the version of the suite",
        ) from None


def _reported(document: Mapping[str, Any], thread: Mapping[str, Any]) -> Reported:
    figures = thread.get("receiver", thread)
    count = thread["sender"]["samples"] if "sender" in thread else thread["cycles"]
    unit = 1 if document.get("resolution_in_ns") else _NS_PER_US
    values = thread.get("histogram", {})
    histogram = sorted((int(value) * unit, int(number)) for value, number in values.items())
    return Reported(
        n=int(count),
        min=figures["min"] * unit,
        mean=round(figures["avg"] * unit, 2),
        max=figures["max"] * unit,
        resolution=unit,
        histogram=tuple(histogram),
    )
