# SPDX-License-Identifier: MIT
"""Checks rules of language (docs/reference/style.md) in every text of the repository: comments,
documents, messages, names of tests.

A rule is a pattern that no line may match, and a sentence of advice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    refused: re.Pattern[str]  # the error quotes the first group
    advice: str


def _words(words: str, advice: str) -> Rule:
    return Rule(re.compile(rf"\b({words})\b", re.IGNORECASE), advice)


# Matches "who" after a noun for people, where it is allowed.
_PEOPLE = re.compile(r"\b(?:reader|user|people|person|those|engineer|author|maintainer)s?,? who\b")
_COMMENT = r'(?:^|\s)(?://+!?|#|/\*+|\*|"""|\{#)\s*'
_ENDS_AS_QUESTION = r"[^?]*$"

RULES = (
    _words("behind", "write 'after', or name the place"),
    _words("anew", "write 'again'"),
    _words("amid", "write 'in' or 'during'"),
    _words("whoever|whom", "name the thing"),
    _words("the talk|the bars|the fifth seed", "cite the publication, or state the rule"),
    _words("who", "name the thing, or write 'that'; 'who' is for people"),
    Rule(
        re.compile(rf"(?:{_COMMENT}|^(?:[-*] )?)(What\b){_ENDS_AS_QUESTION}"),
        "begin with a noun, or a verb in the third person",
    ),
    Rule(
        re.compile(
            rf"(?:{_COMMENT}|^(?:[-*] )?|[.:;!?] )"
            r"(Of (?:an?|all|each|every|those|these|two|three)\b)"
        ),
        "begin with the subject",
    ),
)

# Files that may contain forbidden words, because they quote them.
_QUOTING = (
    "docs/reference/style.md",
    "lab/src/ticklab/quality/prose.py",
    "lab/tests/test_quality.py",
)


def violations(name: str, lines: Sequence[str]) -> Iterator[str]:
    """Yields an error for each forbidden word of a text."""
    for number, line in enumerate(lines if name not in _QUOTING else (), 1):
        of_things = _PEOPLE.sub("", line)
        for rule in RULES:
            for found in rule.refused.findall(of_things):
                yield f"{name}:{number}: says '{found}'; {rule.advice} (docs/reference/style.md)"
