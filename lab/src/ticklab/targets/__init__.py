# SPDX-License-Identifier: MIT
"""Targets: each runs an image and produces an event log by the protocol of protocol.py."""

from ticklab import bootstrap, paths
from ticklab.description.model import Board
from ticklab.targets.protocol import Target
from ticklab.targets.qemu import Qemu
from ticklab.targets.verilator import Verilator


def of(board: Board, nodes: int) -> Target:
    """Returns the target that runs the board's images. `nodes` is their number on a simulated
    multiprocessor."""
    bootstrap.require(bootstrap.of_architecture(board.arch))
    return Verilator(nodes) if board.rtl_nodes else Qemu(paths.plugin())
