# SPDX-License-Identifier: MIT
"""What differs between architectures: which memory can be protected, and how that is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from bulkhead_declare.model import DeclarationError, System, Window
from bulkhead_declare.mpu import Armv7M
from bulkhead_declare.pmp import Rv32
from bulkhead_declare.regions import Placed, Placement, Reach


class Architecture(Protocol):
    @property
    def entry(self) -> str:
        """Where an image begins."""

    @property
    def minimum_bytes(self) -> int:
        """Of a region."""

    @property
    def process_regions(self) -> int:
        """Beside the shared code, the page and a thread's stack."""

    @property
    def lines(self) -> int:
        """Of interrupts."""

    @property
    def kernels_own(self) -> Sequence[tuple[str, int, int]]:
        """Devices that no process may reach: name, address, bytes."""

    def reaches(self, address: int, count: int) -> Iterator[Reach]:
        """What is to be had at these addresses: themselves, and what they are an alias of."""

    def code_alignment(self, system: System) -> int:
        """Where code may begin: at a multiple of it."""

    @property
    def first_sections(self) -> Sequence[str]:
        """The kernel's sections that lie at the beginning of the code."""

    @property
    def frame_bytes(self) -> int:
        """What the kernel needs on a thread's stack."""

    @property
    def idle_stack_bytes(self) -> int: ...

    @property
    def state_behind_stack(self) -> bool:
        """The kernel's state, its stack; or the other way round."""

    def stack(self, where: Placed) -> str:
        """A thread's region: an initialiser in C."""

    def process(
        self, code: Placed | None, regions: Sequence[Placed], windows: Sequence[Window]
    ) -> str:
        """What a process has beside: an initialiser in C."""

    def shared(self, placed: Placement) -> Iterator[str]:
        """What all processes have."""

    def vectors(self, system: System) -> str:
        """A source: the handlers of interrupts."""


_ARCHITECTURES: dict[str, Architecture] = {"armv7-m": Armv7M(), "rv32": Rv32()}


def of(system: System) -> Architecture:
    found = _ARCHITECTURES.get(system.architecture)
    if found is None:
        known = ", ".join(_ARCHITECTURES)
        raise DeclarationError(f"the architecture is {system.architecture}; use one of {known}")
    return found
