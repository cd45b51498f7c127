# SPDX-License-Identifier: MIT
"""Runs the plan of an observation on a board, writes its event log, and prints its console.

If the board, its server or the image has a fault, the program prints one line to standard error,
ends with status 1 and writes no log. Such a run gives no figures.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ticklab.building import elf
from ticklab.errors import TicklabError
from ticklab.targets import schema
from ticklab.targets.desk import started
from ticklab.targets.desk.board import Board, places
from ticklab.targets.desk.log import Log
from ticklab.targets.desk.ring import Decoder
from ticklab.targets.desk.rsp import DeskError
from ticklab.targets.desk.settings import Settings

# A board that has not stopped by itself after this time is stopped, to check whether it still
# passes marks.
LOOK_S = 2.0


def main(plan_file: str, settings_file: str) -> None:
    try:
        settings = msgspec.json.decode(Path(settings_file).read_bytes(), type=Settings)
        plan = read_plan(Path(plan_file))
        lines = list(observe(plan, settings))
    except (DeskError, TicklabError) as error:
        sys.exit(str(error))
    part = Path(plan.log + ".part")  # renamed at the end, so that a log is complete or absent
    part.write_bytes(b"".join(line + b"\n" for line in lines))
    part.rename(plan.log)


# --- The plan -------------------------------------------------------------------------------------


def read_plan(file: Path) -> schema.PlanFile:
    """Reads an observation plan. Raises an error if the plan asks for something that no board can
    do."""
    data = file.read_bytes()
    version = json.loads(data).get("version")
    if version != schema.VERSION:
        raise DeskError(f"the plan has version {version}; boards read version {schema.VERSION}")
    try:
        plan = msgspec.json.decode(data, type=schema.PlanFile)
    except msgspec.ValidationError as error:
        raise DeskError(f"the plan is invalid: {error}") from error
    for name in ("entries", "port", "calls", "model", "exit_register", "bus_latency"):
        if getattr(plan, name):
            raise DeskError(f"a board cannot do {name} of the plan")
    return plan


def _require_compiled(plan: schema.PlanFile, image: Path) -> None:
    """Raises an error if the plan has a mark that is not compiled into the image."""
    compiled = {(address, name) for address, name in elf.marks(image)}
    for mark in plan.marks:
        if mark.is_write or (mark.address, mark.name) not in compiled:
            raise DeskError(f"mark '{mark.name}' is not compiled into the image")


# --- The run --------------------------------------------------------------------------------------


def observe(plan: schema.PlanFile, settings: Settings) -> Iterator[bytes]:
    """Runs the image on the board and yields the lines of the event log."""
    image = elf.read(Path(plan.image))
    log, where = Log(plan, settings.version), places(image)
    _require_compiled(plan, image.path)
    decoder = Decoder(log.marks)
    with started.server(settings) as server:
        board = Board(server.link, where)
        try:
            for command in settings.reset:
                server.link.monitor(command)
            board.require_chip(settings.chip)
            board.load(image, plan.vectors)
            pc: int | None = _run(board, log, decoder, settings)
        except DeskError as error:
            if not server.tells_of_lockup():
                raise DeskError(server.explained(error)) from error
            log.stop("lockup")
            pc = None
    yield from log.lines(decoder.mark_cycles, pc)


def _run(board: Board, log: Log, decoder: Decoder, settings: Settings) -> int:
    """Runs the board until the event log ends. Returns the address at which the board stopped."""
    until = time.monotonic() + settings.seconds
    count = board.count(settings.counter)
    while True:
        pc = board.run(LOOK_S)
        print(board.new_text(pc), end="", flush=True)
        found = board.new_entries(pc)
        log.add(decoder.passes(found, board.tick_period()))
        if log.end is None and board.has_exited(pc):
            log.stop("exit")
        elif log.end is None and not board.is_full(pc):
            count = _look(board, log, decoder, settings, count, pc)
        if log.end:
            return pc
        if time.monotonic() > until:
            raise DeskError(f"the board took more than {settings.seconds} s")


def _look(
    board: Board, log: Log, decoder: Decoder, settings: Settings, before: int, pc: int
) -> int:
    """Checks a board that was stopped while it ran, and ends the log if the board passed no mark
    since the last check. `before` is the value of the cycle counter at the last check. Returns its
    value now."""
    now = board.count(settings.counter)
    last = before if decoder.last_count is None else decoder.last_count
    if board.is_locked_up():
        log.stop("lockup")
    elif now == before:
        raise DeskError(f"the counter at {settings.counter:#x} does not count (stopped at {pc:#x})")
    elif (now - last) % (1 << 32) >= log.plan.stall_instructions:
        log.stop("stalled", log.plan.stall_instructions)
    return now if decoder.last_count is not None else before


if __name__ == "__main__":
    main(*sys.argv[1:])
