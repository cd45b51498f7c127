# SPDX-License-Identifier: MIT
"""Reads runs that were stored when a level of optimisation named another build.

Up to schema 2, the services of a port were called at `O2` and inlined at `O2+inline`. Today they
are inlined at `O2` and called at `O2+called`. A run of that time gets the names of today, so that
no figure is compared with one of the other build without a notice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SCHEMA = 2  # the only older one of runs and baselines that is read
_INLINE, _CALLED = "+inline", "+called"
_OPTIMISED = ("Os", "O2", "O3")


def with_levels_of_today(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns an encoded run with the levels of today. Raises KeyError if a member is missing."""
    if data.get("schema") != SCHEMA:
        return data
    origin = data["provenance"]
    by_build = {
        name: {_build(key): value for key, value in origin[name].items()}
        for name in ("builds", "footprints")
        if name in origin
    }
    records = [{**one, "optimise": level(one["optimise"])} for one in data["records"]]
    return {**data, "provenance": {**origin, **by_build}, "records": records}


def level(then: str) -> str:
    """Returns the name of today of a level of that time. Without optimisation, nothing was inlined,
    and nothing is; the level of an image that Ticklab did not build has no services."""
    if then.endswith(_INLINE):
        return then.removesuffix(_INLINE)
    return then + _CALLED if then.partition("+")[0] in _OPTIMISED else then


def _build(key: str) -> str:
    """Translates `kernel/config/level/board`; a configuration may be a path."""
    subject, then, board = key.rsplit("/", 2)
    return f"{subject}/{level(then)}/{board}"
