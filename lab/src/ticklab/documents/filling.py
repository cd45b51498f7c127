# SPDX-License-Identifier: MIT
"""Fills the figures of the documents, in tables (figures.py, tuned.py, answers.py) and
in sentences (sentences.py)."""

from __future__ import annotations

from pathlib import Path

from ticklab import paths
from ticklab.documents import answers, figures, sentences, tuned, whole_tables
from ticklab.documents.baseline import Records


def fill(records: Records) -> list[str]:
    """Fills all documents, and returns the names of those that changed."""
    changed = []
    for file in documents():
        before = file.read_text()
        after = filled(before, records)
        if after != before:
            file.write_text(after)
            changed.append(str(file.relative_to(paths.CHECKOUT)))
    return changed


def documents() -> list[Path]:
    return [paths.CHECKOUT / "README.md", *sorted((paths.CHECKOUT / "docs").rglob("*.md"))]


def filled(text: str, records: Records) -> str:
    """Returns the text of a document with the figures of records, tuned builds and campaigns filled
    in."""
    text = sentences.filled(figures.filled(text, records), records)
    return answers.filled(tuned.filled(text, tuned.read()), answers.read())


def missing(text: str, records: Records) -> list[str]:
    """Returns the figures that a document asks for and that no measurement has."""
    return [
        *figures.missing(text, records),
        *sentences.missing(text, records),
        *whole_tables.missing(text, tuned.QUERY, tuned.read()),
        *whole_tables.missing(text, answers.QUERY, answers.read()),
    ]
