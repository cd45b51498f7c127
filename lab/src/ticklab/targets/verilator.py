# SPDX-License-Identifier: MIT
"""The target with exact cycles: a Verilator simulation of the hardware in rtl/.

The simulator sees each instruction as it retires and recognises marks by their addresses. It writes
the same event log as QEMU's observer, with exact cycles in place of a model's lanes. A plan's
budget is in cycles, because time follows cycles. No state of the host enters the log. The simulator
is built from the sources (rtl/simulator), once for each number of nodes and each version of the
sources.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ticklab import paths
from ticklab.errors import TicklabError
from ticklab.targets import command
from ticklab.targets.process import Limits
from ticklab.targets.protocol import Cancel, Observation, ObservationPlan, guest_of

# Speed of a simulation with four nodes on an old machine, in cycles per second of processor time.
SLOWEST_CYCLES_PER_S = 20_000
START_S = 30.0

_building = threading.Lock()


@dataclass(frozen=True)
class Verilator:
    """Runs images on the simulated hardware. `nodes` is the number of nodes of the system,
    `network` connects them (bus or tree), and `core` is the core of each. `built` is the number of
    nodes in the simulator, if it has more than the system uses."""

    nodes: int
    built: int | None = None
    network: str = "bus"
    core: str = "ibex"

    def identity(self) -> Mapping[str, str]:
        return {"name": "verilator", "version": self.simulator.name, "observer": "none"}

    @property
    def simulator(self) -> Path:
        """The simulator program. It is looked up, and built if it does not exist, once in a run."""
        with _building:
            return _built(self.built or self.nodes, self.core)

    def _options(self) -> list[str]:
        return ["--nodes", str(self.nodes), *(["--tree"] if self.network == "tree" else [])]

    def observe(self, image: Path, plan: ObservationPlan, cancel: Cancel) -> Observation:
        guest, program = guest_of(image, plan), [str(self.simulator), *self._options()]
        processor_s = START_S + plan.instructions / SLOWEST_CYCLES_PER_S
        limits = Limits(command.CONSOLE_BYTES, processor_s, processor_s)
        found = command.observed(guest, plan, lambda file: [*program, str(file)], limits, cancel)
        return found if self.nodes == 1 else _of_nodes(found)


def _of_nodes(found: Observation) -> Observation:
    """Completes an observation of several nodes: names the node at which the run ended, and adds
    node 0's prefix to the console."""
    ending = replace(found.ending, console=_by_node(found.ending.console))
    return replace(found, ending=replace(ending, node=found.log.node if found.log else None))


@cache
def _built(nodes: int, core: str) -> Path:
    command = [sys.executable, str(paths.CHECKOUT / "rtl" / "simulator"), str(nodes), core]
    home = {**os.environ, "TICKLAB_HOME": str(paths.home())}
    done = subprocess.run(command, capture_output=True, text=True, env=home)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[0]
        raise TicklabError(f"the simulator of {nodes} nodes of {core} does not build: {reason}")
    return Path(done.stdout.strip())


def _by_node(console: str) -> str:
    """Adds `[0] ` to the console lines of node 0, so that the lines of every node have a prefix."""
    return re.sub(r"^(?!\[\d+\] )(?=.)", "[0] ", console, flags=re.MULTILINE)
