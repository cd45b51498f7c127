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
    """Stamps and logs of the set-up."""
    return home() / "setup"


def venv() -> Path:
    return home() / "venv"


def tool(name: str) -> Path:
    """A program of the Python environment."""
    return venv() / "bin" / name


def crate(name: str) -> Path:
    """Sources of a kernel that come from a crate registry."""
    return home() / "sources" / name


def package(name: str) -> Path:
    """What a package of Python's registry holds."""
    return home() / "sources" / name


def plugin() -> Path:
    """The observer as QEMU loads it."""
    return home() / "observer" / "observer.so"


def explainer() -> Path:
    """The program that replays recordings."""
    return home() / "observer" / "ticklab-explain"


def builds() -> Path:
    return home() / "build"


def store() -> Path:
    """The default store of measurements and runs."""
    return home() / "store"
