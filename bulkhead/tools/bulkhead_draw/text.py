# SPDX-License-Identifier: MIT
"""Shows the isolation of a system as text."""

from __future__ import annotations

from collections.abc import Iterator

from bulkhead_draw.cards import Card, Row, cards, closing, title
from bulkhead_draw.isolation import Isolation

_NAME_WIDTH = 30  # a longer name moves the rest of its row


def text(isolation: Isolation) -> str:
    parts = [title(isolation), *map(_card, cards(isolation)), closing(isolation)]
    return "\n\n".join(parts) + "\n"


def _card(card: Card) -> str:
    return "\n".join((f"{card.title}: {card.note}", *_rows(card)))


def _rows(card: Card) -> Iterator[str]:
    width = max((len(_name(row)) for row in card.rows), default=0)
    for row in card.rows:
        yield f"  {_name(row):{min(width, _NAME_WIDTH)}}  {row.detail}"


def _name(row: Row) -> str:
    return f"{row.kind} {row.name}"
