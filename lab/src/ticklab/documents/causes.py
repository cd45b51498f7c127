# SPDX-License-Identifier: MIT
"""Adds to the documents' baseline how the cost of the samples divides among kinds of work and
critical sections, as `explain` finds it for each record of a run.

The names of such figures have `categories` in place of the suite (instructions of the mean sample
by kind of work), or `masks` (critical sections of the mean sample).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from ticklab.description import catalogue
from ticklab.documents.baseline import Figure, Key, commit_of
from ticklab.explain import categories, second_run, subjects
from ticklab.explain.answer import Explanation, Masked
from ticklab.measurement import repeating
from ticklab.storage.store import Store

CATEGORIES, MASKS = "categories", "masks"


def of_run(document: Mapping[str, Any], store: Store) -> dict[str, Figure]:
    """Returns these figures for each record in the JSON of a run. The records are explained from
    the images that `store` kept of the run."""
    found: dict[str, Figure] = {}
    for one in document.get("records", ()):
        if one["instructions"]:
            found |= dict(_of_record(document["run"], one, store, commit_of(document)))
    return found


def _of_record(
    run: str, one: Mapping[str, Any], store: Store, commit: str
) -> Iterator[tuple[str, Figure]]:
    variant = f"{one['kernel']}/{one['config']}"
    wanted = subjects.Wanted(one["scenario"], one["span"], one["board"], one["suite"])
    word, repeat = f"{run}:{variant}/{one['optimise']}", partial(repeating.repeated, store)
    with subjects.found(word, wanted, store, repeat) as subject:
        answer = second_run.explain(subject.first, [subject.span])
    for kind, parts in ((CATEGORIES, _work(answer, one["kernel"])), (MASKS, _masks(answer))):
        scenario = f"{kind}/{one['scenario']}"
        for name, number in parts:
            key = Key(variant, one["optimise"], one["board"], scenario, name, "")
            yield str(key), Figure(round(number, 6), number, None, 0, None, None, commit)


def _work(answer: Explanation, kernel: str) -> Iterator[tuple[str, float]]:
    (span,) = answer.spans
    rules = catalogue.find_kernel(kernel).categories
    for name, cost in categories.costs(answer, span, rules).items():
        yield name, cost.instructions


def _masks(answer: Explanation) -> Iterator[tuple[str, float]]:
    """Yields figures of critical sections in the mean sample: their number, their instructions,
    their share in per cent, the longest, the number of calls that enter one, and instructions of
    exceptions inside them."""
    (span,) = answer.spans
    masked: Masked = span.masked
    yield "sections", masked.count
    yield "masked", masked.instructions
    yield "share", 100 * masked.instructions / span.total.instructions
    yield "longest", masked.longest.longest if masked.longest else 0
    yield "enters", masked.enters
    yield "handlers", masked.handlers
