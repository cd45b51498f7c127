# SPDX-License-Identifier: MIT
"""Compares the cycle counter of a board with the clock of this machine. SysTick could not show that
the clock is wrong, because it has the same source as the counter."""

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
    """Runs an image and returns how many counts the counter makes in a second. Raises
    TicklabError."""
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
    """Lets a board without breakpoints run. Returns the time for which it ran."""
    begun = time.monotonic()
    board.server.run()
    time.sleep(seconds)
    board.server.interrupt()
    return time.monotonic() - begun
