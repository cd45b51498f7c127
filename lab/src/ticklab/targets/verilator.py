# SPDX-License-Identifier: MIT
"""The target with exact cycles: a Verilator simulation of the hardware in rtl/.

The simulator sees each instruction as it retires and recognises marks by their addresses. It writes
the same event log as QEMU's observer, with exact cycles in place of a model's lanes. A plan's
budget is in cycles, because time follows cycles. No state of the host enters the log. The simulator
is built from the sources (rtl/simulator), once per number of nodes and state of the sources.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ticklab import paths
from ticklab.building import elf
from ticklab.description.model import End
from ticklab.errors import TicklabError
from ticklab.targets import eventlog, schema
from ticklab.targets.process import Limits, Outcome, supervise
from ticklab.targets.protocol import Cancel, Ending, Observation, ObservationPlan

CONSOLE_BYTES = 64 * 1024
# In processor time: the speed of four nodes on an old machine.
SLOWEST_CYCLES_PER_S = 20_000
START_S = 30.0

_building = threading.Lock()


@dataclass(frozen=True)
class Verilator:
    """`nodes` is the number of nodes of the simulated system."""

    nodes: int

    def identity(self) -> Mapping[str, str]:
        return {"name": "verilator", "version": self.simulator.name, "observer": "none"}

    @property
    def simulator(self) -> Path:
        """The simulator program, which is looked up, and built if need be, once a run."""
        with _building:
            return _built(self.nodes)

    def observe(self, image: Path, plan: ObservationPlan, cancel: Cancel) -> Observation:
        if plan.record is not None:
            raise TicklabError(
                "the RTL simulation records nothing", "record the same image on board virt"
            )
        guest = elf.read(image)
        elf.require_core(guest, plan.core, plan.vectors)
        if not plan.marks and not plan.entries:
            elf.require_marks(guest)
        with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
            return self._simulate(guest, plan, Path(scratch), cancel)

    def _simulate(
        self, guest: elf.Elf, plan: ObservationPlan, scratch: Path, cancel: Cancel
    ) -> Observation:
        log, file = scratch / "events.log", scratch / "plan.json"
        file.write_bytes(schema.encode(plan.document(guest.path, log)))
        processor_s = START_S + plan.instructions / SLOWEST_CYCLES_PER_S
        limits = Limits(CONSOLE_BYTES, processor_s, processor_s)
        outcome = supervise([str(self.simulator), str(file)], limits, cancel)
        if outcome.stopped or outcome.status != 0 or not log.exists():
            return Observation(_broken_off(outcome), None)
        found = eventlog.read(log)
        return Observation(self._ending(found, outcome, guest), found)

    def _ending(self, found: eventlog.EventLog, outcome: Outcome, guest: elf.Elf) -> Ending:
        """Returns the ending, with node numbers if the system has several nodes."""
        several, console = self.nodes > 1, outcome.stdout
        return Ending(
            found.end,
            guest.name_places(_by_node(console) if several else console),
            guest.name_places(found.detail),
            found.pc,
            guest.symbol_at(found.pc) if found.pc is not None else None,
            found.node if several else None,
            flooded=outcome.flooded,
        )


@cache
def _built(nodes: int) -> Path:
    command = [sys.executable, str(paths.CHECKOUT / "rtl" / "simulator"), str(nodes)]
    home = {**os.environ, "TICKLAB_HOME": str(paths.home())}
    done = subprocess.run(command, capture_output=True, text=True, env=home)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[0]
        raise TicklabError(f"the simulator of {nodes} nodes does not build: {reason}")
    return Path(done.stdout.strip())


def _broken_off(outcome: Outcome) -> Ending:
    if outcome.stopped:
        return Ending(
            End.TIMED_OUT, outcome.stdout, f"the simulation was stopped: {outcome.stopped}"
        )
    lines = outcome.stderr.strip().splitlines() or [f"exit status {outcome.status}"]
    return Ending(End.ABORTED, outcome.stdout, lines[0])


def _by_node(console: str) -> str:
    """Marks node 0's lines like those of the other nodes."""
    return re.sub(r"^(?!\[\d\] )(?=.)", "[0] ", console, flags=re.MULTILINE)
