# SPDX-License-Identifier: MIT
"""Draws the isolation of a system as SVG: a column with a card for each process, and to the right
of the column a vertical line for each thing that several cards reach.

A layered layout, as of Graphviz, would be wider than the screen of a phone and make the text too
small to read there. A column of cards is as wide as a phone; only the lines need more width for
each link. Screen readers get the text of text.py.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from bulkhead_draw.cards import Card, End, Row, Way, cards, closing, title
from bulkhead_draw.isolation import Isolation
from bulkhead_draw.text import text

_WIDTH = 390  # width of a phone in pixels; the picture is wider only if it has many lines
_LEAST_CARD = 230
_MARGIN, _STEP, _GAP, _INSET = 10, 12, 14, 12
_HEADS = 8  # room for arrows between a card and the first lane
_LINE = 15  # between two lines of text
# The width of a character of a monospace font, at 11 px and, for titles, at 13 px.
_CHARACTER, _TITLE_CHARACTER = 6.7, 8.0

_STYLE = """\
svg { background: #fff; color: #1f2328; font: 11px ui-monospace, Menlo, Consolas, \
"DejaVu Sans Mono", monospace; --card: #f6f8fa; --line: #d0d7de; --soft: #57606a; \
--memory: #0067a3; --call: #9a4500; --control: #8a3a6e }
@media (prefers-color-scheme: dark) { svg { background: #0d1117; color: #e6edf3; \
--card: #161b22; --line: #3d444d; --soft: #9ba5b0; --memory: #56b4e9; --call: #e69f00; \
--control: #e08fc0 } }
text { fill: currentColor } .title { font-size: 13px; font-weight: bold } \
.name { font-weight: bold } .soft { fill: var(--soft) }
.card { fill: var(--card); stroke: var(--line) } .kernel { stroke-dasharray: 4 3 }
.link { fill: none; stroke: currentColor; stroke-width: 1.5 } .head { fill: currentColor }
.memory { color: var(--memory) } .call { color: var(--call) } .control { color: var(--control) }"""

_CLASSES = {"region": "memory", "device": "memory", "thread": "control", "process": "control"}


@dataclass(frozen=True)
class _Line:
    text: str
    look: str  # a class of the style
    ends: tuple[End, ...] = ()


@dataclass(frozen=True)
class _Tip:
    """The end of a link at the side of a card, with its vertical position."""

    y: int
    way: Way


@dataclass
class _Picture:
    card_width: int
    parts: list[str] = field(default_factory=list)
    tips: dict[tuple[str, str], list[_Tip]] = field(default_factory=dict)
    y: int = _MARGIN

    @property
    def room(self) -> int:
        """Returns the width of the text in a card."""
        return self.card_width - 2 * _INSET


def svg(isolation: Isolation) -> str:
    shown = cards(isolation)
    lanes = _lanes(_drawn(isolation, shown, _LEAST_CARD).tips)
    side = _HEADS + _STEP * (max(lanes.values(), default=0) + 1)
    card_width = max(_LEAST_CARD, _WIDTH - 2 * _MARGIN - side)
    picture = _drawn(isolation, shown, card_width)
    lanes = _lanes(picture.tips)
    links = [part for link in lanes for part in _link(link, lanes[link], picture)]
    width = 2 * _MARGIN + card_width + side
    return "\n".join((*_head(isolation, width, picture.y), *picture.parts, *links, "</svg>", ""))


def _head(isolation: Isolation, width: int, height: int) -> Iterator[str]:
    yield (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' "
        f"height='{height}' style='max-width:100%;height:auto' role='img' "
        "aria-labelledby='isolation-title isolation-text'>"
    )
    yield f"<title id='isolation-title'>{escape(title(isolation))}</title>"
    yield f"<desc id='isolation-text'>{escape(text(isolation))}</desc>"
    yield f"<style>\n{_STYLE}\n</style>"


def _drawn(isolation: Isolation, shown: Sequence[Card], card_width: int) -> _Picture:
    """Draws the cards, and finds the vertical positions of the ends of links."""
    picture = _Picture(card_width)
    _lines(picture, _wrapped(title(isolation), "title", picture.room), _MARGIN)
    picture.y += _GAP // 2
    for card in shown:
        _card(picture, card)
    _lines(picture, _wrapped(closing(isolation), "soft", picture.room), _MARGIN)
    picture.y += _MARGIN
    single = [link for link, tips in picture.tips.items() if len(tips) == 1]
    for link in single:
        del picture.tips[link]
    return picture


def _card(picture: _Picture, card: Card) -> None:
    place = len(picture.parts)
    top = picture.y
    picture.y += _INSET // 2
    _lines(picture, _card_lines(card, picture.room), _MARGIN + _INSET)
    picture.y += _INSET
    look = "card" if card.title.startswith("process ") else "card kernel"
    frame = (
        f"<rect class='{look}' x='{_MARGIN}' y='{top}' width='{picture.card_width}' "
        f"height='{picture.y - top}' rx='6'/>"
    )
    picture.parts.insert(place, frame)
    picture.y += _GAP


def _card_lines(card: Card, room: int) -> Iterator[_Line]:
    yield from _wrapped(card.title, "title", room, card.ends)
    yield from _wrapped(card.note, "soft", room)
    for row in card.rows:
        yield from _row_lines(row, room)


def _row_lines(row: Row, room: int) -> Iterator[_Line]:
    """Yields an empty line, which is a gap, and the lines of a row. The first lines carry the ends
    of the row, one each."""
    lines = [
        *_wrapped(f"{row.kind} {row.name}", "name", room),
        *_wrapped(row.detail, "soft", room),
    ]
    yield _Line("", "")
    for number, line in enumerate(lines):
        yield _Line(line.text, line.look, row.ends[number : number + 1])


def _wrapped(words: str, look: str, room: int, ends: tuple[End, ...] = ()) -> Iterator[_Line]:
    character = _TITLE_CHARACTER if look == "title" else _CHARACTER
    for number, part in enumerate(textwrap.wrap(words, int(room / character))):
        yield _Line(part, look, ends if number == 0 else ())


def _lines(picture: _Picture, lines: Iterator[_Line], x: int) -> None:
    for line in lines:
        if not line.text:
            picture.y += _LINE // 3
            continue
        picture.y += _LINE
        picture.parts.append(
            f"<text class='{line.look}' x='{x}' y='{picture.y}'>{escape(line.text)}</text>"
        )
        for end in line.ends:
            picture.tips.setdefault(end.link, []).append(_Tip(picture.y - 4, end.way))


def _lanes(tips: dict[tuple[str, str], list[_Tip]]) -> dict[tuple[str, str], int]:
    """Returns the lane (vertical track) of each link: the nearest one that is free over the whole
    height of the link. Short links come first, so that long links lie outside and cross fewer
    others."""
    order = sorted(tips, key=lambda link: (tips[link][-1].y - tips[link][0].y, tips[link][0].y))
    taken: list[list[tuple[int, int]]] = []
    lanes = {}
    for link in order:
        first, last = tips[link][0].y, tips[link][-1].y
        free = (
            lane
            for lane, spans in enumerate(taken)
            if all(last < start or end < first for start, end in spans)
        )
        lane = next(free, len(taken))
        if lane == len(taken):
            taken.append([])
        taken[lane].append((first, last))
        lanes[link] = lane
    return lanes


def _link(link: tuple[str, str], lane: int, picture: _Picture) -> Iterator[str]:
    kind, name = link
    edge = _MARGIN + picture.card_width
    x = edge + _HEADS + _STEP * (lane + 1)
    tips = picture.tips[link]
    stubs = " ".join(f"M{edge},{tip.y} H{x}" for tip in tips)
    yield f"<g class='{_CLASSES.get(kind, 'call')}'><title>{escape(f'{kind} {name}')}</title>"
    yield f"<path class='link' d='M{x},{tips[0].y} V{tips[-1].y} {stubs}'/>"
    for tip in tips:
        yield f"<circle class='head' cx='{x}' cy='{tip.y}' r='2.5'/>"
        yield from (f"<path class='head' d='{shape}'/>" for shape in _heads(edge, tip))
    yield "</g>"


def _heads(edge: int, tip: _Tip) -> Iterator[str]:
    """Yields the arrow heads beside the card: into the card, out of it, or both."""
    if tip.way is not Way.OUT:
        yield f"M{edge},{tip.y} l7,-4 v8 z"
    if tip.way is not Way.IN:
        yield f"M{edge + (15 if tip.way is Way.BOTH else 8)},{tip.y} l-7,-4 v8 z"
