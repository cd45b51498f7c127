# SPDX-License-Identifier: MIT
"""Targets: whatever runs an image and yields an event log. Each keeps the protocol of
protocol.py."""

from ticklab import bootstrap, paths
from ticklab.model import Board
from ticklab.targets.protocol import Target
from ticklab.targets.qemu import Qemu
from ticklab.targets.verilator import Verilator


def of(board: Board, nodes: int) -> Target:
    """What runs the board's images here, on so many nodes if it has any."""
    if board.arch == "rv32":
        bootstrap.provide(["riscv"])
    return Verilator(nodes) if board.rtl_nodes else Qemu(paths.plugin())
