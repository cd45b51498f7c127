# SPDX-License-Identifier: MIT
"""The machines that run a board's images: the table [target.KIND] of board.toml
(docs/reference/descriptions.md explains the keys).

A kind of target is a class here, which says what the laboratory must know to plan an observation,
and a runner in ticklab/targets, which makes the observation.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ticklab import names
from ticklab.description.toml_table import Table


class Machine(ABC):
    """A machine with one node that counts and records what it executes, unless a kind differs."""

    nodes: int = 1  # the greatest number of nodes
    # Whether its log has exact cycles: then time is in cycles, and no cycle model is needed.
    is_clocked: bool = False
    records: bool = True  # whether the blocks that it executes can be recorded
    needs: tuple[str, ...] = ()  # steps of the set-up
    has_more_memory: bool = True  # than the board describes
    follows_calls: bool = True  # whether the log can record the enclosing call of a mark
    has_bus: bool = False  # whose access latency a scenario chooses
    exit_register: int | None = None  # a store to it ends the run; None: another way does

    @abstractmethod
    def identity(self, nodes: int, bus_latency: int) -> str:
        """Returns what distinguishes its figures from those of other machines."""


@dataclass(frozen=True)
class Emulated(Machine):
    """A machine of QEMU."""

    name: str
    options: tuple[str, ...] = ()  # besides those of the architecture
    exit_register: int | None = None  # None: semihosting
    icount_shift: int = 0  # an instruction takes 2 to this power ns of virtual time

    def identity(self, nodes: int, bus_latency: int) -> str:
        return self.name


@dataclass(frozen=True)
class Simulated(Machine):
    """The register-transfer-level simulation of rtl/."""

    nodes: int
    exit_register: int | None = None
    needs = ("sources", "rtl")  # its core is a package
    is_clocked = True
    records = False
    has_more_memory = False
    follows_calls = False
    has_bus = True

    def identity(self, nodes: int, bus_latency: int) -> str:
        return f"rtl-{nodes}-{bus_latency}"


@dataclass(frozen=True)
class External(Machine):
    """A program from outside the repository (targets/command.py)."""

    command: tuple[str, ...]  # `{plan}` is the file of the plan
    seconds: int  # of processor time, at most
    is_clocked: bool = False
    records = False
    has_more_memory = False
    follows_calls = False

    def identity(self, nodes: int, bus_latency: int) -> str:
        return "command"


def _emulated(table: Table) -> Emulated:
    return Emulated(
        name=table.text("machine"),
        options=table.texts("options", ()),
        exit_register=_exit_register(table),
        icount_shift=table.number("icount_shift", default=0),
    )


def _simulated(table: Table) -> Simulated:
    nodes = table.number("nodes", minimum=1)
    return Simulated(nodes, exit_register=table.number("exit_register"))


def _exit_register(table: Table) -> int | None:
    return table.number("exit_register") if "exit_register" in table else None


def _external(table: Table) -> External:
    """In the words of the command, `{board}` is the folder of the board."""
    folder = str(table.file.parent.resolve())
    words = tuple(word.replace("{board}", folder) for word in table.texts("command"))
    if not any("{plan}" in word for word in words):
        table.fail("command", "does not use the plan", "write {plan} where its file belongs")
    seconds = table.number("seconds", minimum=1, default=60)
    return External(words, seconds, table.flag("clocked", default=False))


KINDS: Mapping[str, Callable[[Table], Machine]] = {
    "qemu": _emulated,
    "rtl": _simulated,
    "command": _external,
}


def read(whole: Table) -> Machine:
    """Reads the one table [target.KIND]."""
    tables = whole.tables("target")
    if len(tables) != 1:
        whole.fail("target", f"has {len(tables)} tables", f"write one: {_kinds()}")
    kind, table = tables[0]
    if kind not in KINDS:
        whole.fail(f"target.{kind}", "is unknown", names.suggestion(kind, KINDS))
    machine = KINDS[kind](table)
    table.end()
    return machine


def _kinds() -> str:
    return " or ".join(f"[target.{kind}]" for kind in KINDS)
