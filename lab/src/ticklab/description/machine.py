# SPDX-License-Identifier: MIT
"""The machines that run a board's images: the table [target.KIND] of board.toml
(docs/reference/descriptions.md explains the keys).

Each kind of target is a class here, with the facts that the laboratory needs to plan an
observation, and a runner in ticklab/targets, which makes the observation. If a kind needs steps of
the set-up, they are in bootstrap/tables.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from ticklab import names
from ticklab.description import table
from ticklab.description.keys import Natural, Positive, Text, Texts
from ticklab.description.table import Place, Table


class Machine(Table, frozen=True):
    """A machine that runs a board's images. The defaults describe a machine with one node that
    counts what it executes; each kind of target overrides what differs."""

    is_followed: ClassVar[bool] = True  # whether a run on the machine can be explained
    # Whether the machine has memory that the board's description does not list.
    has_more_memory: ClassVar[bool] = True
    # Whether the event log can say during which call of a function a mark was passed.
    follows_calls: ClassVar[bool] = True
    # Whether the event log can count the instructions of the port separately.
    counts_port: ClassVar[bool] = True
    has_bus: ClassVar[bool] = False  # whether it has a bus whose latency a scenario chooses
    # Whether marks are code that writes to a ring buffer in memory.
    has_ring: ClassVar[bool] = False

    @property
    def nodes(self) -> int:
        """Returns the greatest number of nodes that the machine can have."""
        return 1

    @property
    def is_clocked(self) -> bool:
        """Returns whether the machine's log has exact cycles. Then time is measured in cycles, and
        no cycle model is needed."""
        return False

    @property
    def stand_in(self) -> str | None:
        """Returns the name of the simulator or program that takes the place of a real board, if
        there is one."""
        return None

    @property
    def exit_register(self) -> int | None:
        """Returns the address of the register in which a store ends the run, or None if a run ends
        in another way."""
        return None

    def identity(self, nodes: int, bus_latency: int) -> str:
        """Returns a text that distinguishes the machine's figures from those of other machines."""
        raise NotImplementedError

    def macros(self, memory: Mapping[str, tuple[int, int]]) -> Mapping[str, str]:
        """Returns the macros with which images for the machine are compiled. `memory` has the
        origin and the length of each of the board's memories."""
        return {}

    def checked(self, place: Place) -> Machine:
        """Returns the machine, completed for the board whose file is at `place`. Raises an error
        for mistakes that types cannot express."""
        return self


class Emulated(Machine, frozen=True):
    """A machine of QEMU."""

    name: Annotated[Text, Meta(description="the machine of QEMU")] = msgspec.field(name="machine")
    options: Annotated[
        Texts, Meta(description="options of QEMU besides those of the architecture")
    ] = ()
    exit_register: Annotated[
        Natural | None,
        Meta(
            description="the register with which a guest ends the run, if it has one; otherwise "
            "the guest uses semihosting"
        ),
    ] = None
    icount_shift: Annotated[
        Natural, Meta(description="an instruction takes 2 to this power ns of virtual time")
    ] = 0

    controller: Annotated[
        Text,
        Meta(
            description="QEMU's object whose inputs are the interrupt lines of an M-profile core, "
            "for `inject`: its path, or the last names of it (`info qom-tree` in QEMU's monitor)"
        ),
    ] = "armv7m"

    def identity(self, nodes: int, bus_latency: int) -> str:
        return self.name


FEWEST_PLACES, MOST_PLACES = 4, 16  # for nodes, in the address maps of rtl/


class Simulated(Machine, frozen=True):
    """The register-transfer-level simulation of rtl/."""

    is_followed = False
    has_more_memory = False
    follows_calls = False
    has_bus = True

    nodes: Annotated[
        Positive, Meta(description="the greatest number of nodes of `rtl/`: 1, 4 or 16")
    ]
    exit_register: Annotated[
        Natural, Meta(description="the register with which a guest ends the run; every node has it")
    ]
    network: Annotated[
        Literal["bus", "tree"],
        Meta(description="what connects the nodes: one bus, or a tree of buses of four nodes each"),
    ] = "bus"

    @property
    def places(self) -> int:
        """Returns the number of nodes for which the simulated address map has room."""
        return FEWEST_PLACES if self.nodes <= FEWEST_PLACES else MOST_PLACES

    @property
    def is_clocked(self) -> bool:
        return True

    def macros(self, memory: Mapping[str, tuple[int, int]]) -> Mapping[str, str]:
        return {"BENCH_NODES": str(self.places)} if self.places > FEWEST_PLACES else {}

    def identity(self, nodes: int, bus_latency: int) -> str:
        network = "" if self.network == "bus" else f"-{self.network}"
        return f"rtl-{nodes}-{bus_latency}{network}"


class External(Machine, frozen=True):
    """A program from outside the repository that runs images (targets/command.py)."""

    is_followed = False
    has_more_memory = False
    follows_calls = False
    counts_port = False

    command: Annotated[
        Texts,
        Meta(
            description="the command line of a [target of your own](../how-to/bring-a-target.md), "
            "as a list; `{plan}` is the file of the plan, `{board}` the folder of the board"
        ),
    ]
    seconds: Annotated[
        Positive,
        Meta(
            description="the processor time in seconds that it may use, and the time that it may "
            "sleep"
        ),
    ] = 60
    is_clocked: Annotated[bool, Meta(description="whether its log has exact cycles")] = (
        msgspec.field(name="clocked", default=False)
    )

    def identity(self, nodes: int, bus_latency: int) -> str:
        return "command"

    def checked(self, place: Place) -> Machine:
        folder = str(place.file.parent.resolve())
        words = tuple(word.replace("{board}", folder) for word in self.command)
        if not any("{plan}" in word for word in words):
            place.fail("command", "does not use the plan", "write {plan} where its file belongs")
        return msgspec.structs.replace(self, command=words)


class Debugged(Machine, frozen=True, kw_only=True):
    """A board on the desk, or anything else that has a GDB server (targets/gdb.py)."""

    has_ring = True
    is_followed = False
    has_more_memory = False
    follows_calls = False
    counts_port = False

    marks: Annotated[
        Literal["ring"],
        Meta(
            description="how a mark is recorded: `ring` reads the counter and SysTick and writes "
            "them to memory"
        ),
    ]
    server: Annotated[
        Texts,
        Meta(
            description="the command line of the GDB server, as a list; `{port}` is a free port, "
            "`{board}` the folder of the board. Empty: a server is already running"
        ),
    ] = ()
    address: Annotated[Text, Meta(description="host and port of the GDB server")] = (
        "127.0.0.1:{port}"
    )
    reset: Annotated[
        Texts,
        Meta(description="commands of the server (`monitor`) that reset the board and stop it"),
    ] = ()
    chip: Annotated[
        dict[str, tuple[Natural, Natural, Natural]],
        Meta(
            description="registers by which the board is recognised: what each shows → its "
            "address, a mask, and the value under the mask"
        ),
    ] = {}
    counter: Annotated[
        Natural,
        Meta(
            description="address of a counter of 32 bits that counts up with `clock_hz`; default "
            "the core's, `DWT_CYCCNT`"
        ),
    ] = 0xE000_1004
    seconds: Annotated[
        Positive, Meta(description="the time that one observation may take on the board")
    ] = 60
    stand_in: Annotated[
        Text | None,
        Meta(
            description="what the server has in place of a board: figures are then of no board, "
            "and never ranked"
        ),
    ] = None

    @property
    def is_clocked(self) -> bool:
        return True

    def macros(self, memory: Mapping[str, tuple[int, int]]) -> Mapping[str, str]:
        """Returns the macros with the address of the counter that marks read, and with the size of
        the data memory in bytes, which is small on chips."""
        return {"BENCH_COUNTER": f"{self.counter:#x}", "BENCH_DATA_BYTES": f"{memory['data'][1]}"}

    def identity(self, nodes: int, bus_latency: int) -> str:
        return "gdb"

    def checked(self, place: Place) -> Machine:
        folder = str(place.file.parent.resolve())
        if not self.server and "{port}" in self.address:
            place.fail("address", "is missing", "give host:port, or a command as server")
        words = tuple(word.replace("{board}", folder) for word in self.server)
        return msgspec.structs.replace(self, server=words)


KINDS: Mapping[str, type[Machine]] = {
    "qemu": Emulated,
    "rtl": Simulated,
    "command": External,
    "gdb": Debugged,
}


def read(tables: Mapping[str, Any], place: Place) -> Machine:
    """Reads the table [target.KIND], of which there must be exactly one."""
    if len(tables) != 1:
        place.fail("target", f"has {len(tables)} tables", f"write one: {_kinds()}")
    (kind,) = tables
    if kind not in KINDS:
        place.fail(f"target.{kind}", "is unknown", names.suggestion(kind, KINDS))
    inside = place.inside("target").inside(kind)
    return table.convert(tables[kind], KINDS[kind], inside).checked(inside)


def _kinds() -> str:
    return " or ".join(f"[target.{kind}]" for kind in KINDS)
