# SPDX-License-Identifier: MIT
"""A target that runs nothing: it returns the event log of an earlier run on a board, from which
figures are computed again.

The stored file of such a run, called its *counters*, has one line of JSON with the console's text,
followed by the event log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from ticklab import plain_text
from ticklab.errors import TicklabError
from ticklab.targets import eventlog
from ticklab.targets.protocol import Cancel, Ending, Observation, ObservationPlan


class _Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    console: Annotated[str, msgspec.Meta(max_length=1 << 20)]


def counters_of(observation: Observation) -> bytes | None:
    """Returns the counters of an observation, or None if the target can repeat the observation
    exactly."""
    if observation.counters is None:
        return None
    head = msgspec.json.encode(_Head(observation.ending.console))
    return head + b"\n" + observation.counters


@dataclass(frozen=True)
class Replay:
    """Returns the observation that is stored as counters. `counters` is the content of the file;
    `name` is its name in errors."""

    counters: bytes
    name: str

    def identity(self) -> Mapping[str, str]:
        return {"name": "replay", "version": "1", "observer": ""}

    def observe(self, image: Path, plan: ObservationPlan, cancel: Cancel) -> Observation:
        head, _, log = self.counters.partition(b"\n")
        try:
            console = plain_text.shown(msgspec.json.decode(head, type=_Head).console)
        except msgspec.DecodeError as error:
            what = f"the counters of {self.name} are damaged: {error}"
            raise TicklabError(what, "get the file again") from error
        found = eventlog.parse(log, f"the counters of {self.name}")
        ending = Ending(found.end, console, found.detail, found.pc, found.symbol)
        return Observation(ending, found, log)
