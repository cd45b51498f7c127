# SPDX-License-Identifier: MIT
"""The output formats and the command-line arguments, for both `python3 -m bulkhead_draw` and
`ticklab bulkhead draw`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from bulkhead_declare.model import DeclarationError

from bulkhead_draw.isolation import Isolation, read
from bulkhead_draw.svg import svg
from bulkhead_draw.text import text

__all__ = ("DeclarationError", "configure", "shown")


def _json(isolation: Isolation) -> str:
    return json.dumps(asdict(isolation), indent=1) + "\n"


_FORMATS: Mapping[str, Callable[[Isolation], str]] = {"text": text, "svg": svg, "json": _json}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "declaration", metavar="SYSTEM.toml", type=Path, help="the declaration of the system"
    )
    parser.add_argument(
        "--format",
        choices=tuple(_FORMATS),
        default="text",
        help="text for a terminal, svg for a picture, json for programs (default text)",
    )


def shown(declaration: Path, name: str) -> str:
    """Returns the isolation of a declaration in a format. Raises DeclarationError for a declaration
    that the generator refuses, and OSError for a file that cannot be read."""
    return _FORMATS[name](read(declaration))
