# SPDX-License-Identifier: MIT
"""Where things are: the checkout, and the one folder that holds everything Ticklab makes.

The folder is `.ticklab` in the checkout, or what $TICKLAB_HOME names. It may be deleted at any
time.
"""

from __future__ import annotations

import os
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]


def home() -> Path:
    named = os.environ.get("TICKLAB_HOME")
    return Path(named).absolute() if named else CHECKOUT / ".ticklab"


def setup() -> Path:
    """Returns the folder of stamps and logs of the set-up."""
    return home() / "setup"


def venv() -> Path:
    return home() / "venv"


def tool(name: str) -> Path:
    """Returns a program of the Python environment."""
    return venv() / "bin" / name


def crate(name: str) -> Path:
    """Returns the folder of kernel sources from a crate registry."""
    return home() / "sources" / name


def package(name: str) -> Path:
    """Returns the folder of a package from the registry of Python."""
    return home() / "sources" / name


def plugin() -> Path:
    """Returns the observer as a plugin of QEMU."""
    return home() / "observer" / "observer.so"


def explainer() -> Path:
    """Returns the program that replays recordings."""
    return home() / "observer" / "ticklab-explain"


def builds() -> Path:
    return home() / "build"


def store() -> Path:
    """Returns the default store."""
    return home() / "store"
