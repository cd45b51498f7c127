# SPDX-License-Identifier: MIT
"""The tools of Bulkhead (bulkhead/tools), which use the standard library alone because projects
without Ticklab call them."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from ticklab import paths

FOLDER = paths.CHECKOUT / "bulkhead" / "tools"


def load(module: str) -> Any:
    """Imports a module of the tools, as `bulkhead_declare.tables`."""
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module(module)
    finally:
        sys.path.remove(str(FOLDER))
