# SPDX-License-Identifier: MIT
"""Draws the answer of a run, as the terminal shows it, as an SVG picture: `show RUN --svg FILE`.

The picture names fonts that most computers have, and loads none.
"""

from __future__ import annotations

import io
import re

from rich.console import Console

from ticklab.description.model import Run
from ticklab.summary.answer import Unit
from ticklab.views import answer, table

_WIDTH = 80
_FONTS = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"


def svg(run: Run, unit: Unit = Unit.CYCLES, wanted_reference: str | None = None) -> str:
    out = Console(
        record=True,
        file=io.StringIO(),
        width=_WIDTH,
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
        markup=False,
    )
    if not answer.show(run, out, unit, wanted_reference):
        table.show(run, out, wanted_reference)
    picture = out.export_svg(title="ticklab run", unique_id="run")
    without_downloads = re.sub(r"@font-face\s*{[^}]*}", "", picture)
    return re.sub(r"font-family: [^;]*;", f"font-family: {_FONTS};", without_downloads)
