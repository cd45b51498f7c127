# SPDX-License-Identifier: MIT
"""Makes images without a port from those of FreeRTOS's port: removes Ticklab's marks, and gives the
counters the names that they have in Thread-Metric's own sources. The code remains the same."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from elftools.elf.elffile import ELFFile

from ticklab.building import elf

# The scenarios, and the counters of each in the order of its threads.
COUNTERS: Mapping[str, Sequence[str]] = {
    "basic-processing": ["tm_basic_processing_counter"],
    "cooperative-scheduling": [f"tm_cooperative_thread_{n}_counter" for n in range(5)],
    "preemptive-scheduling": [f"tm_preemptive_thread_{n}_counter" for n in range(5)],
    "interrupt-processing": ["tm_interrupt_thread_0_counter"],
    "interrupt-preemption": [f"tm_interrupt_preemption_thread_{n}_counter" for n in range(2)],
    "message-processing": ["tm_message_processing_counter"],
    "synchronization": ["tm_synchronization_processing_counter"],
    "memory-allocation": ["tm_memory_allocation_counter"],
}
_WORD = 4


def make(ported: Path, scenario: str, image: Path) -> Path:
    """Writes `image`, a copy of the image of a port."""
    names = COUNTERS[scenario]
    variable = "counters" if len(names) > 1 else "counter"
    (at,) = (each.address for each in elf.read(ported).variables if each.name == variable)
    with ported.open("rb") as stream:
        section = ELFFile(stream).get_section_by_name(".bss")
        assert section
        offset = at - section["sh_addr"]
    added = [
        f"--add-symbol={name}=.bss:{offset + place * _WORD:#x},global,object"
        for place, name in enumerate(names)
    ]
    command = ["arm-none-eabi-objcopy", f"--remove-section={elf.MARKS}", *added]
    subprocess.run([*command, str(ported), str(image)], check=True)
    return image
