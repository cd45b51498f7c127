# SPDX-License-Identifier: MIT
"""Reads runs of an older schema, in which an optimisation level named another kind of build.

Up to schema 2, the services of a port were called at `O2` and inlined at `O2+inline`. Since then
they are inlined at `O2` and called at `O2+called`. The levels of an older run are renamed when the
run is read, so that its figures are compared with those of the same kind of build.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SCHEMA = 2  # the only older one of runs and baselines that is read
_INLINE, _CALLED = "+inline", "+called"
_OPTIMISED = ("Os", "O2", "O3")


def with_levels_of_today(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the stored JSON of a run with today's names of levels. Raises KeyError if a member is
    missing."""
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
    """Returns today's name of an older level. Level O0 keeps its name, because it never inlines,
    and so does the level of an image that Ticklab did not build."""
    if then.endswith(_INLINE):
        return then.removesuffix(_INLINE)
    return then + _CALLED if then.partition("+")[0] in _OPTIMISED else then


def _build(key: str) -> str:
    """Renames the level in the key `kernel/config/level/board` of a build. The configuration in it
    may be a path with slashes."""
    subject, then, board = key.rsplit("/", 2)
    return f"{subject}/{level(then)}/{board}"
