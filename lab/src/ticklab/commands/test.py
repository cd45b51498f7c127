# SPDX-License-Identifier: MIT
"""`ticklab test`: runs all checks of the project, and prints one line for each step."""

from __future__ import annotations

import argparse
import sys
import time

from ticklab import bootstrap, names, paths
from ticklab.errors import TicklabError
from ticklab.quality import steps
from ticklab.quality.steps import Step

HELP = "check Ticklab itself: formats, lints, types, tests"
NEEDS = bootstrap.DEVELOPMENT

_SHOWN_LINES = 40


def configure(parser: argparse.ArgumentParser) -> None:
    listing = "\n".join(f"  {step.name:15} {step.what}" for step in steps.STEPS)
    parser.epilog = f"steps:\n{listing}\n\nThe whole output of a failed step is in .ticklab/test."
    parser.add_argument(
        "steps", nargs="*", metavar="STEP", type=_step, help="steps to run, see below (default all)"
    )
    parser.add_argument(
        "--fix", action="store_true", help="let the formatters change the files; run no step"
    )
    parser.add_argument(
        "--long", action="store_true", help="run the tests that take minutes as well"
    )


def run(arguments: argparse.Namespace) -> int:
    if arguments.fix:
        return _fix()
    chosen = arguments.steps or steps.STEPS
    failed = sum(not _passes(step, arguments.long) for step in chosen)
    print(f"{len(chosen) - failed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


def _fix() -> int:
    complaints = steps.fix()
    print("\n".join(complaints) or "formatted")
    return 1 if complaints else 0


def _step(name: str) -> Step:
    return names.choose("step", name, {step.name: step for step in steps.STEPS})


def _passes(step: Step, long: bool) -> bool:
    started = time.monotonic()
    try:
        complaint = step.run(long)
    except TicklabError as error:
        complaint = str(error)
    verdict = "failed" if complaint else "ok"
    print(f"{verdict:7} {step.name:15} {time.monotonic() - started:6.1f} s", flush=True)
    if complaint:
        _show(step, complaint)
    return not complaint


def _show(step: Step, complaint: str) -> None:
    """Prints the end of the complaint, where programs sum up, and writes all of it to a file."""
    log = paths.home() / "test" / f"{step.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text(complaint + "\n")
    lines = complaint.splitlines()
    if len(lines) > _SHOWN_LINES:
        print(f"  … {len(lines) - _SHOWN_LINES} lines before these are in {log}", file=sys.stderr)
    print(*(f"  {line}" for line in lines[-_SHOWN_LINES:]), sep="\n", file=sys.stderr, flush=True)
