# SPDX-License-Identifier: MIT
"""Fills tables and sentences of the documents from campaigns, whose records are queried in SQL.

`docs measure NAME` carries out a campaign (runs.toml), runs each query `*.sql` in the folder of its
CAMPAIGN.toml over its records, and stores the rows that the queries return, called *answers*, in
docs/figures/answers.json. A table names its query in the line before it, and is replaced as a
whole; it has the columns of the query:

    <!-- answer: NAME/QUERY -->

A comment after a figure in a sentence names the query, the row (by its first cell) and the column:

    53<!-- = answer NAME/QUERY ROW COLUMN -->
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ticklab.documents import baseline, whole_tables
from ticklab.measurement import provenance
from ticklab.storage import tables
from ticklab.views import figures

FILE = baseline.FILE.with_name("answers.json")
QUERY = re.compile(r"^<!-- answer: ([\w-]+/[\w-]+) -->$")
_MISSING = "–"

Cell = str | float | None


@dataclass(frozen=True)
class Answer:
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    commit: str  # that carried out the campaign

    def lines(self) -> list[str]:
        """Returns the answer as a Markdown table."""
        return whole_tables.lines(self.columns, ([_cell(one) for one in row] for row in self.rows))


def read() -> dict[str, Answer]:
    found = json.loads(FILE.read_text()) if FILE.exists() else {}
    return {name: Answer(**each) for name, each in found.items()}


def keep(name: str, folder: Path, records: Path) -> None:
    """Runs each query in a campaign's folder over the campaign's records, and stores the
    answers."""
    commit = provenance.commit()[: baseline.COMMIT_DIGITS]
    kept = {key: each for key, each in read().items() if not key.startswith(f"{name}/")}
    for query in folder.glob("*.sql"):
        kept[f"{name}/{query.stem}"] = Answer(*tables.ask(query.read_text(), [records]), commit)
    texts = (_text(key, kept[key]) for key in sorted(kept))
    FILE.write_text("{\n" + ",\n".join(texts) + "\n}\n")


def filled(text: str, found: Mapping[str, Answer]) -> str:
    """Returns the text of a document with the answers in its tables."""
    return whole_tables.filled(text, QUERY, {name: each.lines() for name, each in found.items()})


def figure(words: str, found: Mapping[str, Answer]) -> str | None:
    """Returns the figure for the words `NAME/QUERY ROW COLUMN` of a comment in a sentence, or
    None."""
    name, row, column = words.split()
    if name not in found:
        return None
    answer = found[name]
    rows = [cells for cells in answer.rows if cells[0] == row]
    return _cell(rows[0][answer.columns.index(column)]) if rows else None


def _text(name: str, answer: Answer) -> str:
    """Returns an answer as JSON with one line for each row, so that a changed figure changes one
    line."""
    head = json.dumps({"commit": answer.commit, "columns": answer.columns}, ensure_ascii=False)
    rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in answer.rows)
    return f'{json.dumps(name)}: {head[:-1]}, "rows": [\n{rows}\n]}}'


def _cell(value: Cell) -> str:
    if value is None:
        return _MISSING
    return value if isinstance(value, str) else figures.count(value)
