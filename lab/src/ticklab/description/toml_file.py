# SPDX-License-Identifier: MIT
"""Loads a TOML file, with the standard library alone: the set-up reads descriptions too."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from ticklab.errors import UsageError


def load(file: Path) -> dict[str, Any]:
    """Returns the entries of a TOML file."""
    try:
        with file.open("rb") as stream:
            return tomllib.load(stream)
    except OSError as error:
        raise UsageError(
            f"{file}: {error.strerror}",
            "docs/reference/descriptions.md lists the files of a description",
        ) from None
    except (ValueError, RecursionError) as error:  # also bytes that are no UTF-8, and deep nesting
        raise UsageError(f"{file}: {error}", "the file must be TOML 1.0") from None
