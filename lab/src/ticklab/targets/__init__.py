# SPDX-License-Identifier: MIT
"""Targets: the programs that run an image and write its event log. protocol.py has their common
interface."""

from collections.abc import Callable, Mapping

from ticklab import bootstrap, paths
from ticklab.bootstrap import tables
from ticklab.description.machine import (
    FEWEST_PLACES,
    Debugged,
    Emulated,
    External,
    Machine,
    Simulated,
)
from ticklab.description.model import Board
from ticklab.targets.command import Command
from ticklab.targets.gdb import Gdb
from ticklab.targets.protocol import Target
from ticklab.targets.qemu import Qemu
from ticklab.targets.verilator import Verilator


def _qemu(board: Board, nodes: int) -> Target:
    return Qemu(paths.plugin(), board.core.arch.name)


def _verilator(board: Board, nodes: int) -> Target:
    machine = board.machine
    assert isinstance(machine, Simulated)
    built = machine.nodes if machine.places > FEWEST_PLACES else None
    return Verilator(nodes, built, machine.network, board.core.name)


def _command(board: Board, nodes: int) -> Target:
    machine = board.machine
    assert isinstance(machine, External)
    return Command(machine.command, machine.seconds)


def _gdb(board: Board, nodes: int) -> Target:
    return Gdb(board)


_RUNNERS: Mapping[type[Machine], Callable[[Board, int], Target]] = {
    Emulated: _qemu,
    Simulated: _verilator,
    External: _command,
    Debugged: _gdb,
}


def of(board: Board, nodes: int) -> Target:
    """Returns the target that runs the board's images. `nodes` is the number of nodes of a
    simulated multiprocessor."""
    bootstrap.require(tables.needs_of(board.folder))
    return _RUNNERS[type(board.machine)](board, nodes)
