# SPDX-License-Identifier: MIT
"""The interface by which the generator uses an architecture: which regions of memory the protection
unit can separate, how they are encoded in the tables, and where the image begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from bulkhead_declare.model import DeclarationError, System, Window
from bulkhead_declare.mpu import Armv7M
from bulkhead_declare.pmp import Rv32
from bulkhead_declare.pmsav8 import Armv8M
from bulkhead_declare.regions import Placed, Placement, Reach, Shape


class Architecture(Protocol):
    @property
    def entry(self) -> str:
        """Returns the symbol of the image's first instruction."""

    @property
    def shape(self) -> Shape:
        """Returns which sizes and addresses a region can have."""

    @property
    def process_regions(self) -> int:
        """Returns how many regions a process has besides the shared code, the page and the
        stack."""

    @property
    def lines(self) -> int:
        """Returns the number of interrupt lines that a declaration can use."""

    @property
    def kernels_own(self) -> Sequence[tuple[str, int, int]]:
        """Returns the devices that no process may access, each with its name, address and size in
        bytes."""

    def reaches(self, address: int, count: int) -> Iterator[Reach]:
        """Yields the memory that an access to these addresses reaches: the addresses themselves,
        and addresses of which they are an alias."""

    def code_alignment(self, system: System) -> int:
        """Returns the alignment of the code in bytes."""

    @property
    def first_sections(self) -> Sequence[str]:
        """Returns the kernel's sections that lie at the beginning of the code."""

    @property
    def frame_bytes(self) -> int:
        """Returns the bytes that the processor and the kernel need on a thread's stack, in addition
        to the declared `stack_bytes`."""

    @property
    def idle_stack_bytes(self) -> int: ...

    @property
    def state_follows_stack(self) -> bool:
        """Returns whether the kernel's state lies after the kernel's stack in memory; otherwise it
        lies before."""

    def stack(self, where: Placed) -> str:
        """Returns the initialiser in C of the region of a thread's stack."""

    def process(
        self,
        code: Placed | None,
        written: Sequence[Placed],
        read: Sequence[Placed],
        windows: Sequence[Window],
    ) -> str:
        """Returns the initialiser in C of the other regions of a process: its own code, the regions
        that it writes, those that it only reads, and windows."""

    def shared(self, placed: Placement) -> Iterator[str]:
        """Yields the lines of C that define the regions that all processes share."""

    def vectors(self, system: System) -> str:
        """Returns the C source of the table of interrupt handlers."""


_ARCHITECTURES: dict[str, Architecture] = {
    "armv7-m": Armv7M(),
    "armv8-m": Armv8M(),
    "rv32": Rv32(),
}


def of(system: System) -> Architecture:
    found = _ARCHITECTURES.get(system.architecture)
    if found is None:
        known = ", ".join(_ARCHITECTURES)
        raise DeclarationError(f"[image] architecture is {system.architecture}; use one of {known}")
    return found
