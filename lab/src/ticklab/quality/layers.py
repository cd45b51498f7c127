# SPDX-License-Identifier: MIT
"""Checks that each package of ticklab imports only from the packages before it in a fixed order.

The order follows the making of a figure, so that a reader who follows a figure reads each package
once. Modules outside the packages may be imported by all and import no package; the command line
may import all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import PurePath

# Packages of one line may import each other.
LAYERS = (
    ("description",),
    ("bootstrap",),  # reads the names of programs and packages from descriptions of architectures
    ("building",),
    ("targets",),
    ("analysis",),
    ("storage",),
    ("comparison",),
    ("summary",),
    ("explain",),
    ("measurement",),
    ("estimate",),
    ("views", "traces"),
    ("site",),
    ("campaign",),
    ("quality",),
    ("commands", "documents", "cli", "options", "api", "__init__", "__main__"),
)
_RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
_SOURCES = PurePath("lab/src/ticklab")


def violations(name: str, text: str) -> Iterator[str]:
    """Yields the imports of file `name` from packages that come later in the order."""
    path = PurePath(name)
    if path.suffix != ".py" or not path.is_relative_to(_SOURCES):
        return
    here = path.relative_to(_SOURCES).parts[0].removesuffix(".py")
    imports = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom))
    for node in imports:
        for other in _imported(node):
            if _RANK.get(other, -1) > _RANK.get(here, -1):
                yield f"{name}:{node.lineno}: {here} imports {other}, which comes after it"


def _imported(node: ast.ImportFrom) -> Iterator[str]:
    """Yields the packages, and modules outside packages, from which a statement imports."""
    top, *rest = (node.module or "").split(".")
    if top == "ticklab":
        yield from rest[:1] or (alias.name for alias in node.names)
