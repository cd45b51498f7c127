# SPDX-License-Identifier: MIT
"""The target for a board, or anything else, that has a GDB server. A separate program (desk/)
controls the board; this module starts and supervises the program, as it does for other targets that
are programs."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from ticklab import lock, paths
from ticklab.description.machine import Debugged
from ticklab.description.model import Board
from ticklab.digest import hash_file, hash_json
from ticklab.targets import command
from ticklab.targets.desk.settings import Settings
from ticklab.targets.process import Limits
from ticklab.targets.protocol import Cancel, Observation, ObservationPlan, guest_of

_PROGRAM = Path(__file__).parent / "desk"
# Seconds allowed for starting the server and for loading and verifying the image, in addition to
# the time of the run.
_BESIDE_S = 60.0


@dataclass(frozen=True)
class Gdb:
    board: Board

    def identity(self) -> Mapping[str, str]:
        """Returns a version that changes with the program and with the board's description."""
        program = {file.name: hash_file(file) for file in sorted(_PROGRAM.glob("*.py"))}
        described = hash_file(self.board.folder / "board.toml")
        return {"name": "gdb", "version": hash_json([program, described])[:16], "observer": ""}

    def observe(self, image: Path, plan: ObservationPlan, cancel: Cancel) -> Observation:
        guest = guest_of(image, plan)
        seconds = self._machine.seconds + _BESIDE_S
        limits = Limits(command.CONSOLE_BYTES, seconds, seconds)
        with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch, self._alone():
            file = Path(scratch, "settings.json")
            file.write_bytes(msgspec.json.encode(self.settings()))
            run = partial(_command, file)
            return command.observed(guest, plan, run, limits, cancel, keeps_log=True)

    @property
    def _machine(self) -> Debugged:
        assert isinstance(self.board.machine, Debugged)
        return self.board.machine

    def settings(self) -> Settings:
        machine = self._machine
        return Settings(
            version=f"gdb-{self.identity()['version']}",
            server=machine.server,
            address=machine.address,
            reset=machine.reset,
            chip=dict(machine.chip),
            counter=machine.counter,
            seconds=machine.seconds,
            clock_hz=self.board.clock_hz,
        )

    def _alone(self) -> AbstractContextManager[None]:
        """Returns the lock of a board, which is needed because a board runs one image at a time. An
        emulator in place of a board needs no lock."""
        if self._machine.stand_in:
            return nullcontext()
        file = paths.home() / f"{self.board.name}.lock"
        return lock.held(file, f"board {self.board.name}", lambda _: None)


def _command(settings: Path, plan: Path) -> Sequence[str]:
    return [sys.executable, "-P", "-m", "ticklab.targets.desk", str(plan), str(settings)]
