# SPDX-License-Identifier: MIT
"""`ticklab doctor`: lists what the set-up finds on this machine, and changes nothing."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from ticklab import paths
from ticklab.bootstrap import rust, system
from ticklab.bootstrap.steps import STEPS
from ticklab.errors import TicklabError

HELP = "list what is installed and what is missing, and what to do"
NEEDS = ()


@dataclass(frozen=True)
class Finding:
    name: str
    good: bool
    text: str
    needed: bool = True


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Changes nothing. Exit status 1 if something that is needed is missing."


def run(_arguments: argparse.Namespace) -> int:
    findings = [*_programs(), _python(), _rust(), *_steps()]
    for finding in findings:
        print(f"{_mark(finding)}  {finding.name:20} {finding.text}")
    missing = [finding.name for finding in findings if finding.needed and not finding.good]
    print(f"missing: {', '.join(missing)}" if missing else "nothing that is needed is missing")
    return 1 if missing else 0


def _mark(finding: Finding) -> str:
    if finding.good:
        return "ok     "
    return "missing" if finding.needed else "later  "


def _programs() -> Iterator[Finding]:
    for program in system.always():
        try:
            version = system.dotted(system.require(program))
            where = shutil.which(program.name)
            yield Finding(program.name, True, f"{version}  {where}  ({program.purpose})")
        except TicklabError as error:
            yield Finding(program.name, False, str(error))


def _python() -> Finding:
    return Finding("python", True, f"{system.dotted(sys.version_info[:3])}  {sys.executable}")


def _rust() -> Finding:
    """Looks for a Rust toolchain, which is needed only until the observer has been built."""
    toolchain = rust.find()
    if toolchain:
        return Finding("rust", True, f"{system.dotted(toolchain.version)}  {toolchain.rustc}")
    built = paths.plugin().exists()
    return Finding("rust", False, "1.85 or later not found; the set-up installs one", not built)


def _steps() -> Iterator[Finding]:
    """Lists the steps of the set-up. A step is missing only if its last attempt failed, because
    every command runs the steps that it needs."""
    for step in STEPS:
        if step.name == "system":
            continue  # `_programs` lists the programs of this step
        text = "set up" if step.done() else "the next command that needs it sets it up"
        if step.failed():
            text = f"the last attempt failed: {step.log}"
        yield Finding(step.name, step.done(), f"{step.title}: {text}", needed=step.failed())
