# SPDX-License-Identifier: MIT
"""The template engine of all pages, and the functions that templates call. It escapes all text,
because names come from descriptions of users."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ticklab import digest, paths
from ticklab.comparison import placement
from ticklab.description.model import Stats, Status
from ticklab.summary.matrix import (
    formulas,
    row_label,
    row_of,
    usual_params,
    usual_params_note,
)
from ticklab.views import (
    charts,
    comparison,
    curves,
    explained,
    explanation,
    figures,
    provenance,
    sentence,
)

STATS = tuple(field.name for field in fields(Stats))


def environment(*folders: Path) -> Environment:
    """Returns the template engine, which finds templates in `folders` and in the folder of this
    file."""
    made = Environment(
        loader=FileSystemLoader([*folders, Path(__file__).parent]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=_compiled(),
    )
    made.globals.update(
        wbr=Markup("<wbr>"), figures=figures, shares=charts.shares, flat=provenance.flat
    )
    made.globals.update(outline=curves.outline, cause=curves.cause, extent=curves.extent)
    made.globals.update(anchor=explained.anchor, percent=explanation.percent)
    made.globals.update(guessed=explanation.GUESSED)
    made.globals.update(summary_text=comparison.summary_text)
    made.globals.update(summary=explanation.summary, classes=sentence.CLASSES)
    made.globals.update(row_label=row_label, row_of=row_of, Status=Status, stats_names=list(STATS))
    made.globals.update(usual_params=usual_params, usual_params_note=usual_params_note)
    made.globals.update(formulas=formulas, hull_of=placement.cycles)
    made.globals.update(spread_of=placement.spread, counts_moved=placement.counts_moved)
    return made


def _compiled() -> FileSystemBytecodeCache | None:
    """Returns the cache of compiled templates, which is needed because compiling the templates of a
    report takes longer than filling them. Jinja notices a changed template. The name of the cache's
    folder changes with this file, which contains the options of the engine."""
    folder = paths.home() / "templates" / digest.hash_file(Path(__file__))[:12]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return FileSystemBytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None
