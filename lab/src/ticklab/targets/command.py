# SPDX-License-Identifier: MIT
"""A target that is a separate program: the program gets the file of an observation plan, writes the
event log that the plan names, and prints the guest's console. The RTL simulation is one
(verilator.py); `[target.command]` of a board names a program from outside the repository
(docs/how-to/bring-a-target.md).

The program exits with status 0, however the guest's run ended. With another status, or without a
log, the last line of its standard error is the reason.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ticklab.building import elf
from ticklab.description.model import End
from ticklab.digest import hash_file, hash_json
from ticklab.errors import TicklabError
from ticklab.targets import eventlog, schema
from ticklab.targets.process import Limits, Outcome, supervise
from ticklab.targets.protocol import Cancel, Ending, Observation, ObservationPlan, guest_of

CONSOLE_BYTES = 64 * 1024
LOG_BYTES = 1 << 30  # greatest size of a log


@dataclass(frozen=True)
class Command:
    """Runs the command line `words`, in which `{plan}` stands for the file of the plan. The command
    may use `seconds` of processor time, and sleep as long."""

    words: tuple[str, ...]
    seconds: int

    def identity(self) -> Mapping[str, str]:
        """Returns a version that changes with the command line, or with a file that the command
        line names."""
        files = {word: hash_file(Path(word)) for word in self.words if Path(word).is_file()}
        return {"name": "command", "version": hash_json([*self.words, files])[:16], "observer": ""}

    def observe(self, image: Path, plan: ObservationPlan, cancel: Cancel) -> Observation:
        if not shutil.which(self.words[0]):
            raise TicklabError(
                f"the target's program {self.words[0]} does not exist",
                "name it in [target.command] of the board",
            )
        limits = Limits(CONSOLE_BYTES, self.seconds, self.seconds)
        return observed(guest_of(image, plan), plan, self._command, limits, cancel)

    def _command(self, plan: Path) -> Sequence[str]:
        words = (word.replace("{plan}", str(plan)) for word in self.words)
        return ["prlimit", f"--fsize={LOG_BYTES}", "--", *words]


def observed(
    guest: elf.Elf,
    plan: ObservationPlan,
    command: Callable[[Path], Sequence[str]],
    limits: Limits,
    cancel: Cancel,
    keeps_log: bool = False,
) -> Observation:
    """Runs the command for an observation plan, which is written to a file. Returns what the
    program observed; with `keeps_log`, also the content of the event log."""
    with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        file, log = Path(scratch, "plan.json"), Path(scratch, "events.log")
        file.write_bytes(schema.encode(plan.document(guest.path, log)))
        outcome = supervise(command(file), limits, cancel)
        if outcome.stopped or outcome.status != 0 or not log.exists():
            return Observation(_broken_off(outcome), None)
        found, kept = eventlog.read(log), log.read_bytes() if keeps_log else None
    return Observation(_ending(found, outcome, guest), found, kept)


def _ending(found: eventlog.EventLog, outcome: Outcome, guest: elf.Elf) -> Ending:
    symbol = guest.symbol_at(found.pc) if found.pc is not None else None
    return Ending(
        found.end,
        guest.name_places(outcome.stdout),
        guest.name_places(found.detail),
        found.pc,
        found.symbol or symbol,
        flooded=outcome.flooded,
    )


def _broken_off(outcome: Outcome) -> Ending:
    if outcome.stopped:
        return Ending(End.TIMED_OUT, outcome.stdout, f"the target was stopped: {outcome.stopped}")
    lines = outcome.stderr.strip().splitlines() or [f"exit status {outcome.status}, and no log"]
    return Ending(End.ABORTED, outcome.stdout, lines[-1])
