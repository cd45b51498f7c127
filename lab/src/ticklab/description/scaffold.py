# SPDX-License-Identifier: MIT
"""Writes the skeleton of a port: copies data/port with the name of the kernel filled in. The
skeleton builds, and supports no service."""

from __future__ import annotations

import textwrap
from pathlib import Path
from string import Template

from ticklab.description import fields
from ticklab.errors import TicklabError, UsageError

_TEMPLATE = Path(__file__).parents[1] / "data" / "port"


def write(name: str, folder: Path) -> list[Path]:
    """Writes the files of the skeleton and returns their paths. Raises an error rather than change
    an existing file."""
    if not fields.is_name(name):
        raise UsageError(f"a kernel cannot be called '{name}'", fields.NAME_RULE)
    if folder.exists():
        raise UsageError(f"{folder} exists", "name another folder with --in")
    services = textwrap.fill(", ".join(sorted(fields.SERVICES)), 98, break_on_hyphens=False)
    values = {"name": name, "services": textwrap.indent(services, "# ")}
    sources = [file for file in sorted(_TEMPLATE.rglob("*")) if file.is_file()]
    return [_write(file, folder / file.relative_to(_TEMPLATE), values) for file in sources]


def _write(source: Path, place: Path, values: dict[str, str]) -> Path:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(Template(source.read_text()).substitute(values))
    except OSError as error:
        raise TicklabError(
            f"cannot write {place}: {error.strerror}", "name another folder with --in"
        ) from error
    return place
