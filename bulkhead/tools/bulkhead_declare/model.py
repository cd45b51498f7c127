# SPDX-License-Identifier: MIT
"""The model of a declared system. Objects refer to each other by their indexes in the tuples of
System; rights.py assigns handles in the order of these tuples. The names of objects are for
messages only."""

from __future__ import annotations

from dataclasses import dataclass, field

PRIORITIES = 32


class DeclarationError(Exception):
    """Raised for a mistake in a declaration. The message is one line that says what is wrong and
    what to change."""


@dataclass(frozen=True)
class Region:
    """A region of memory, which the processes in `users` read and write. Whenever one of them, the
    owner, starts, the region gets its initial contents."""

    name: str
    bytes: int
    owner: int  # process
    users: frozenset[int]  # processes, including the owner
    files: tuple[str, ...]  # linker patterns of the objects whose data lies here
    readers: frozenset[int] = frozenset()  # further processes, that only read it


@dataclass(frozen=True)
class Window:
    """The registers of a device, which some processes may access."""

    name: str
    address: int
    bytes: int
    users: frozenset[int]


@dataclass(frozen=True)
class Policy:
    """The policy of a process: the action of its supervisor when the process fails
    (user/supervise.c)."""

    escalation: str  # "end" or "reset", after the limit
    limit: int = 0  # maximum number of restarts in succession
    stable_ticks: int = 0  # ticks without a failure after which restarts are counted from 0 again
    delay_ticks: int = 0  # ticks before the first restart; doubled before each next restart
    alive: int | None = None  # event flags that the process sets to report that it is alive
    alive_flags: int = 1  # the bits of `alive` that it has to set


@dataclass(frozen=True)
class Process:
    name: str
    restarts: bool = False
    supervisor: int | None = None  # thread
    pends: frozenset[int] = frozenset()  # interrupts that its threads may request
    code_files: tuple[str, ...] = ()  # linker patterns of the objects with its own code
    code_bytes: int = 0
    ceiling: int | None = None  # the highest priority that its threads may give to a thread
    budget_ticks: int = 0  # of processor time in each period; 0: no budget
    budget_period_ticks: int = 0
    policy: Policy | None = None
    log_events: int = 0  # entries of its log; 0: none

    @property
    def has_code(self) -> bool:
        """Returns whether the process has code of its own, in addition to the code that all
        processes share."""
        return bool(self.code_files)


@dataclass(frozen=True)
class Thread:
    name: str
    entry: str  # symbol
    stack_bytes: int
    priority: int
    process: int
    initially: str = "ready"  # or "suspended", "dormant"
    slice_ticks: int = 0  # ticks after which a thread of the same priority runs; 0: never


@dataclass(frozen=True)
class Semaphore:
    initial: int
    maximum: int
    users: frozenset[int]  # processes that may make some call for it
    local: bool = False  # the word of the object is in the process
    # The processes that may only give to the object (queue: send, flags: set, pool: free), and
    # those that may only take from it (queue: receive, flags: wait, pool: allocate).
    only_send: frozenset[int] = frozenset()
    only_receive: frozenset[int] = frozenset()
    name: str = ""


@dataclass(frozen=True)
class Mutex:
    users: frozenset[int]
    local: bool = False
    name: str = ""


@dataclass(frozen=True)
class Queue:
    capacity: int
    message_bytes: int
    users: frozenset[int]
    local: bool = False
    only_send: frozenset[int] = frozenset()
    only_receive: frozenset[int] = frozenset()
    name: str = ""


@dataclass(frozen=True)
class Flags:
    initial: int
    users: frozenset[int]
    local: bool = False
    only_send: frozenset[int] = frozenset()
    only_receive: frozenset[int] = frozenset()
    name: str = ""


@dataclass(frozen=True)
class Gate:
    """A gate: an object through which threads of its user processes call one thread, its server."""

    server: int  # thread
    users: frozenset[int]
    leases: bool = False  # its callers may lend memory
    name: str = ""


@dataclass(frozen=True)
class Pool:
    """A pool of blocks. The kernel does not know the pool of one process (`local`)."""

    blocks: int
    block_bytes: int
    users: frozenset[int]
    local: bool = False
    region: str = ""  # where the blocks lie, if the pool is not local
    only_send: frozenset[int] = frozenset()
    only_receive: frozenset[int] = frozenset()
    name: str = ""


@dataclass(frozen=True)
class Action:
    """The change that the kernel makes to an object when an interrupt comes or a timer is due."""

    action: str  # "posts", "resumes", "notifies", "sets"; for an interrupt also "delivers"
    object: int  # index of the semaphore, the thread or the flags
    flags: int = 0  # the bits that "sets" sets


@dataclass(frozen=True)
class Timer:
    action: Action
    users: frozenset[int]
    name: str = ""


Listed = Semaphore | Mutex | Queue | Flags | Gate | Pool | Timer


def title(kind: str, index: int, each: Listed) -> str:
    """Returns how a message names an object: by its name, or by its index if it has none."""
    return f"{kind} {each.name or index}"


@dataclass(frozen=True)
class Interrupt:
    """An interrupt line, and what the kernel does when the interrupt comes."""

    line: int
    handler: str  # name in the vector table
    action: Action
    is_level: bool = False  # with "delivers": the device asserts its line until it is served


@dataclass(frozen=True)
class Record:
    """The record of faults that survives a reset. Its user processes read it, and may reset the
    system."""

    users: frozenset[int]


@dataclass(frozen=True)
class Memory:
    """A range of addresses."""

    origin: int
    length: int


@dataclass(frozen=True)
class System:
    code: Memory
    data: Memory
    processes: tuple[Process, ...]
    threads: tuple[Thread, ...]
    regions: tuple[Region, ...]
    windows: tuple[Window, ...] = ()
    semaphores: tuple[Semaphore, ...] = ()
    mutexes: tuple[Mutex, ...] = ()
    queues: tuple[Queue, ...] = ()
    pools: tuple[Pool, ...] = ()
    interrupts: tuple[Interrupt, ...] = ()
    flags: tuple[Flags, ...] = ()
    gates: tuple[Gate, ...] = ()
    timers: tuple[Timer, ...] = ()
    records: tuple[Record, ...] = ()  # one at most
    controls: dict[int, frozenset[int]] = field(default_factory=dict)  # process -> threads
    notifies: dict[int, frozenset[int]] = field(default_factory=dict)
    architecture: str = "armv7-m"
    measures: dict[int, frozenset[int]] = field(default_factory=dict)
    stack_marks: bool = False  # the kernel marks each stack
    thread_times: bool = False  # the kernel measures the processor time of each thread
    trace_events: int = 0  # events that the kernel's trace keeps; 0: no trace
    trace_calls: bool = False  # whether system calls are in the trace
    tickless: bool = False  # ticks that no timer needs do not interrupt the idle thread
    kernel_code_bytes: int = 0x10000
    user_code_bytes: int = 0x10000  # the code that all processes share
    region_alignment: int = 1  # minimum alignment, for an emulator that reads memory by pages
