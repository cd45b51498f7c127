# SPDX-License-Identifier: MIT
"""Asks the user once, on a terminal, before the set-up installs packages of the system. Shows the
packages and the user that installs them. Without a terminal, or with --yes, does not ask."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Sequence

from ticklab import paths
from ticklab.bootstrap import system
from ticklab.bootstrap.step import SetupStep, say
from ticklab.errors import TicklabError


def obtain(pending: Sequence[SetupStep], agreed: bool) -> None:
    """Raises an error if the user declines the packages that `pending` would install."""
    packages = list(dict.fromkeys(name for step in pending for name in step.packages()))
    if agreed or not packages or not system.installs() or not _on_a_terminal():
        return
    say(f"to install with apt, {_as_whom()}: {' '.join(packages)}")
    say(f"to make in {paths.home()}, as {_user()}: {', '.join(step.title for step in pending)}")
    print("ticklab: install and go on? [Y/n] ", end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    if answer.strip().lower() not in ("", "y", "yes") or not answer:
        raise TicklabError("nothing was installed", f"install {' '.join(packages)} and try again")


def _on_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _as_whom() -> str:
    return "as root" if os.geteuid() == 0 else "as root by sudo"


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # in a container, the user may have a number and no name
        return f"user {os.geteuid()}"
