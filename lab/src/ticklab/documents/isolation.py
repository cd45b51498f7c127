# SPDX-License-Identifier: MIT
"""Draws the pictures of declared Bulkhead systems for the documents, as `ticklab bulkhead draw`
does."""

from __future__ import annotations

from collections.abc import Mapping

from ticklab import bulkhead_tools, paths

FOLDER = paths.CHECKOUT / "docs" / "images"
PICTURES: Mapping[str, str] = {"sensor-hub.svg": "bulkhead/examples/sensor-hub/system.toml"}


def drawn(name: str) -> str:
    formats = bulkhead_tools.load("bulkhead_draw.formats")
    picture = formats.shown(paths.CHECKOUT / PICTURES[name], "svg")
    return f"<!-- SPDX-License-Identifier: MIT -->\n{picture}"


def write() -> list[str]:
    """Writes the pictures and returns the names of the files that changed."""
    changed = []
    for name in PICTURES:
        file, new = FOLDER / name, drawn(name)
        if not file.exists() or file.read_text() != new:
            file.write_text(new)
            changed.append(str(file.relative_to(paths.CHECKOUT)))
    return changed
