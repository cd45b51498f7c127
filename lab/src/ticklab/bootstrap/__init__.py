# SPDX-License-Identifier: MIT
"""Set-up: installs what a command needs before the command runs. Takes almost no time if everything
is installed.

Two steps run at the same time if neither needs the other: for example, one installs packages while
the other compiles. Each step has a key, the hash of everything that determines its result. The key
is written to a stamp file when the step succeeds. A step runs only if its stamp has another key or
its product is missing. So an interrupted set-up resumes, and a changed pin or source repeats one
step. Uses the standard library alone, because the set-up installs all other packages."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ticklab import lock, paths
from ticklab.bootstrap import consent, tables
from ticklab.bootstrap.step import SetupStep, say
from ticklab.bootstrap.steps import STEPS
from ticklab.errors import TicklabError, UsageError

if TYPE_CHECKING:
    from concurrent.futures import Future

EVERYTHING = ("system", "python", "sources", "observer")
# The architectures in platform/arch except the one of the default board. Each has a set-up step
# with the architecture's name.
FURTHER = tuple(name for name in tables.architectures() if name != tables.DEFAULT)
_AT_ONCE = 2  # number of steps that run at the same time
DEVELOPMENT = (*EVERYTHING, *FURTHER, "rtl", "campaign", "proofs", "development")


def ensure(needs: Sequence[str], words: Sequence[str], agreed: bool) -> None:
    """Runs the set-up steps `needs`, then continues in the project's Python environment.

    If this process runs in another Python environment, it replaces itself by the command line
    `words`. `agreed` says that the user has agreed in advance to the installation of packages."""
    if paths.IS_INSTALLED and {"development", "documentation"} & set(needs):
        raise UsageError("an installed Ticklab lacks tests and documents", "use a clone: ./ticklab")
    if pending := _pending(needs):
        consent.obtain(pending, agreed)
        with lock.held(paths.setup() / "lock", "another set-up", say):
            _make(_pending(needs))
    inside = os.path.realpath(sys.prefix) == os.path.realpath(paths.venv())
    if "python" in needs and not inside:
        python = str(paths.tool("python"))
        os.execv(python, [python, "-P", "-m", "ticklab", *words])


def require(needs: Sequence[str]) -> None:
    """Raises an error if a step in `needs` has not been carried out. Commands call this while they
    run, when nothing is installed any more."""
    for step in _pending(needs):
        raise TicklabError(f"{step.title}: not set up", f"run 'ticklab setup {step.name}'")


def _pending(needs: Sequence[str]) -> list[SetupStep]:
    return [step for step in STEPS if step.name in needs and not step.done()]


def _make(pending: Sequence[SetupStep]) -> None:
    # Imported here because the import takes 10 ms and most commands have no step to carry out.
    from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

    started, waiting = time.monotonic(), list(pending)
    running: dict[Future[None], SetupStep] = {}
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        while waiting or running:
            while len(running) < _AT_ONCE and (step := _ready(waiting, running.values())):
                waiting.remove(step)
                number = len(pending) - len(waiting)
                say(f"set-up {number}/{len(pending)}: {step.title}")
                running[pool.submit(step.make)] = step
            for ended in wait(running, return_when=FIRST_COMPLETED).done:
                del running[ended]
                ended.result()  # raises the error of a failed step, so that no other step starts
    if pending:
        say(f"set-up finished in {time.monotonic() - started:.0f} s")


def _ready(waiting: Sequence[SetupStep], running: Iterable[SetupStep]) -> SetupStep | None:
    """Returns the first step in `waiting` whose predecessors have ended."""
    open_names = {step.name for step in (*waiting, *running)}
    return next((step for step in waiting if open_names.isdisjoint(step.after)), None)
