# SPDX-License-Identifier: MIT
"""What can be declared of a system. Objects are known by their place in the lists: their handle."""

from __future__ import annotations

from dataclasses import dataclass, field

PRIORITIES = 32
PROCESS_REGIONS = 4  # its own code, memory, windows: core/process.h


class DeclarationError(Exception):
    """One line: what is wrong, and what to change."""


@dataclass(frozen=True)
class Region:
    """Memory that its users read and write. Its owner initialises it, at the start and anew."""

    name: str
    bytes: int
    owner: int  # process
    users: frozenset[int]  # processes, the owner among them
    files: tuple[str, ...]  # linker patterns of the objects whose data lies here


@dataclass(frozen=True)
class Window:
    """Registers of a device, for one process."""

    name: str
    address: int
    bytes: int
    users: frozenset[int]


@dataclass(frozen=True)
class Process:
    name: str
    restarts: bool = False
    supervisor: int | None = None  # thread
    pends: frozenset[int] = frozenset()  # interrupts
    code_files: tuple[str, ...] = ()  # linker patterns of the objects whose code is its alone
    code_bytes: int = 0

    @property
    def has_code(self) -> bool:
        """Whether it has code of its own, beside what all processes share."""
        return bool(self.code_files)


@dataclass(frozen=True)
class Thread:
    name: str
    entry: str  # symbol
    stack_bytes: int
    priority: int
    process: int
    initially: str = "ready"  # or "suspended", "absent"


@dataclass(frozen=True)
class Semaphore:
    initial: int
    maximum: int
    users: frozenset[int]
    local: bool = False  # its word is in the process


@dataclass(frozen=True)
class Mutex:
    users: frozenset[int]
    local: bool = False


@dataclass(frozen=True)
class Queue:
    capacity: int
    message_bytes: int
    users: frozenset[int]
    local: bool = False


@dataclass(frozen=True)
class Pool:
    """Blocks of one process; the kernel knows nothing of them."""

    blocks: int
    block_bytes: int


@dataclass(frozen=True)
class Interrupt:
    """A line, and what the kernel does when it comes."""

    line: int
    handler: str  # name in the vector table
    action: str  # "posts", "resumes", "notifies"
    object: int


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
    kernel_files: tuple[str, ...]  # linker patterns of the objects that are the kernel
    windows: tuple[Window, ...] = ()
    semaphores: tuple[Semaphore, ...] = ()
    mutexes: tuple[Mutex, ...] = ()
    queues: tuple[Queue, ...] = ()
    pools: tuple[Pool, ...] = ()
    interrupts: tuple[Interrupt, ...] = ()
    controls: dict[int, frozenset[int]] = field(default_factory=dict)  # process -> threads
    notifies: dict[int, frozenset[int]] = field(default_factory=dict)
    kernel_code_bytes: int = 0x10000
    user_code_bytes: int = 0x10000  # what all processes share
