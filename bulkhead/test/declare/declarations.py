# SPDX-License-Identifier: MIT
"""Reads declarations of the tests in bulkhead/test/target with some of their text replaced."""

from __future__ import annotations

import tempfile
from pathlib import Path

from bulkhead_declare import check, source
from bulkhead_declare.model import System

TARGET = Path(__file__).resolve().parents[1] / "target"


def changed(name: str, *changes: tuple[str, str]) -> System:
    """Reads TARGET/NAME.toml, replaces the first occurrence of each text, and checks the
    declaration. Raises DeclarationError as the generator does."""
    text = (TARGET / f"{name}.toml").read_text()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "system.toml")
        file.write_text(text)
        system = source.read(file)[0]
    check.check(system)
    return system
