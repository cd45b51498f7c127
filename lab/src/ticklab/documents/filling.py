# SPDX-License-Identifier: MIT
"""Fills the figures of the documents, in tables (figures.py, tuned.py) and in sentences
(sentences.py)."""

from __future__ import annotations

from pathlib import Path

from ticklab import paths
from ticklab.documents import figures, sentences, tuned
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
    """Returns a document with the figures of the records."""
    return tuned.filled(sentences.filled(figures.filled(text, records), records), tuned.read())


def missing(text: str, records: Records) -> list[str]:
    """Returns what a document asks for and the baseline does not have, as error messages."""
    found = (figures.missing(text, records), sentences.missing(text, records))
    return [*(name for each in found for name in each), *tuned.missing(text, tuned.read())]
