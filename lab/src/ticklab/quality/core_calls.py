# SPDX-License-Identifier: MIT
"""Checks that the files of Bulkhead's core do not call each other in a circle, so that a reader can
read each file after those that it needs. A file that must call a function of a file that depends on
it gets a function pointer (bulkhead/core/deferred.h, struct resource)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

CORE = "bulkhead/core"

_COMMENT = re.compile(r"//.*")
# Matches the head of a function that other files can call. Parameters in such heads contain no
# parentheses.
_FUNCTION = re.compile(r"^(?!static\b)\w[^\n;={}]*?\b(\w+)\([^(){};]*\) \{$", re.MULTILINE)


def violations(sources: Mapping[str, str]) -> Iterator[str]:
    """Yields a circle of files that call each other, if there is one. `sources` maps the names of C
    files to their texts."""
    texts = {name: _COMMENT.sub("", text) for name, text in sources.items()}
    homes = {function: name for name in texts for function in _FUNCTION.findall(texts[name])}
    calls = {name: _called(name, text, homes) for name, text in texts.items()}
    try:
        TopologicalSorter(calls).prepare()
    except CycleError as error:
        circle = " calls ".join(reversed(error.args[1]))
        yield f"{CORE}: {circle}: move a function, or pass it as a pointer"


def _called(name: str, text: str, homes: Mapping[str, str]) -> set[str]:
    """Returns the other files whose functions a file calls. `homes` maps each function to its
    file."""
    return {homes[word] for word in re.findall(r"\w+", text) if word in homes} - {name}
