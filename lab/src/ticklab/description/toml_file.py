# SPDX-License-Identifier: MIT
"""Loads a TOML file with the standard library alone, because the set-up reads descriptions before
it installs anything."""

from __future__ import annotations

import copy
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from ticklab.errors import UsageError


def load(file: Path) -> dict[str, Any]:
    """Returns the entries of a TOML file."""
    try:
        return copy.deepcopy(_parsed(file.read_bytes()))
    except OSError as error:
        raise UsageError(
            f"cannot read {file}: {error.strerror}",
            "docs/reference/descriptions.md lists the files of a description",
        ) from None
    # ValueError: the bytes are not UTF-8. RecursionError: tables are nested too deeply.
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}: {error}", "the file must be TOML 1.0") from None


@lru_cache(maxsize=256)
def _parsed(content: bytes) -> dict[str, Any]:
    """Parses each content only once, because a process reads the same descriptions several
    times."""
    return tomllib.loads(content.decode())
