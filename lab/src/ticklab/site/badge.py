# SPDX-License-Identifier: MIT
"""The badge of a claim: an SVG picture of its subject and its value, for a README. The picture
names fonts that most computers have, and fixes the width of the text, so that it fits in any of
them."""

from __future__ import annotations

from html import escape

from ticklab.site.claims import Claim

_CHARACTER, _MARGIN, _HEIGHT = 6.6, 8, 22
_FONTS = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"


def svg(claim: Claim) -> str:
    left, right = claim.badge.subject, claim.badge.value
    ends = _width(left), _width(left) + _width(right)
    return "\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{ends[1]}" height="{_HEIGHT}" role="img" '
        f'aria-label="{escape(f"{left}: {right}")}">',
        f"<title>{escape(claim.sentence)}</title>",
        f'<rect width="{ends[1]}" height="{_HEIGHT}" rx="4" fill="#1f5fae"/>',
        f'<path d="M4 0h{ends[0] - 4}v{_HEIGHT}H4a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4z" fill="#3b434b"/>',
        f'<g fill="#fff" font-family="{_FONTS}" font-size="12">',
        _text(left, _MARGIN),
        _text(right, ends[0] + _MARGIN),
        "</g>",
        "</svg>\n",
    ))  # fmt: skip


def _width(text: str) -> int:
    return round(len(text) * _CHARACTER) + 2 * _MARGIN


def _text(text: str, x: int) -> str:
    length = _width(text) - 2 * _MARGIN
    return f'<text x="{x}" y="15" textLength="{length}">{escape(text)}</text>'
