# SPDX-License-Identifier: MIT
"""Draws the terminal view of a run as an SVG picture, for documents: `show RUN --svg FILE`.

It names fonts that readers have, and loads none.
"""

from __future__ import annotations

import io
import re

from rich.console import Console

from ticklab.description.model import Run
from ticklab.views import table

_FONTS = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"


def svg(run: Run, wanted_reference: str | None = None) -> str:
    out = Console(
        record=True,
        file=io.StringIO(),
        width=table.WIDTH,
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
        markup=False,
    )
    table.show(run, out, wanted_reference)
    picture = out.export_svg(title="ticklab run", unique_id="run")
    without_downloads = re.sub(r"@font-face\s*{[^}]*}", "", picture)
    return re.sub(r"font-family: [^;]*;", f"font-family: {_FONTS};", without_downloads)
