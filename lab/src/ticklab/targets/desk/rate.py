# SPDX-License-Identifier: MIT
"""Compares the cycle counter of a board with the clock of this machine. SysTick cannot replace the
clock of this machine: it has the same source as the counter, so both would show the same wrong
rate."""

from __future__ import annotations

import time
from pathlib import Path

from ticklab.building import elf
from ticklab.errors import TicklabError
from ticklab.targets.desk import started
from ticklab.targets.desk.board import Board, places
from ticklab.targets.desk.rsp import DeskError
from ticklab.targets.desk.settings import Settings

START_S, MEASURED_S = 0.3, 1.0
_COUNTER = 1 << 32


def counts_a_second(settings: Settings, image: Path, vectors: int) -> float:
    """Runs an image on a board and returns by how much the board's cycle counter advances in a
    second. Raises TicklabError."""
    guest = elf.read(image)
    try:
        with started.server(settings) as server:
            for command in settings.reset:
                server.link.monitor(command)
            board = Board(server.link, places(guest))
            board.require_chip(settings.chip)
            board.load(guest, vectors, stops=False)
            _let_run(board, START_S)  # start-up code sets the clock and starts the counter
            before = board.count(settings.counter)
            seconds = _let_run(board, MEASURED_S)
            counted = (board.count(settings.counter) - before) % _COUNTER
    except DeskError as error:
        raise TicklabError(str(error)) from error
    return counted / seconds


def _let_run(board: Board, seconds: float) -> float:
    """Lets a board run without breakpoints. Returns for how many seconds it ran."""
    begun = time.monotonic()
    board.server.run()
    time.sleep(seconds)
    board.server.interrupt()
    return time.monotonic() - begun
