# SPDX-License-Identifier: MIT
"""Tests of gates through which a client lends memory: the rights, and the memory that each thread
may lend."""

from __future__ import annotations

import re
import unittest

from bulkhead_declare import emit_c, features, rights
from bulkhead_declare.model import System
from bulkhead_declare.placement import place
from declarations import changed

CLIENT, OTHER, SERVER = 1, 2, 3
CLIENT_MAIN, OTHER_MAIN = 6, 7
WINDOW = "[[window]]\nname = 'lamp'\naddress = 0x5000_0000\nbytes = 32\nusers = ['client']\n\n"
FIRST_GATE = '[[gate]]\nname = "vault"'


def reaches(system: System, thread: int) -> dict[int, tuple[int, bool]]:
    """Returns the memory that a thread may lend, from the generated table: for each address, the
    size and whether it may be written."""
    text = emit_c.kernel_tables(system, place(system)).partition("kernel_reaches")[2]
    rows = re.findall(r"^    \{\n(.*?)^    \},", text, re.MULTILINE | re.DOTALL)[thread]
    found = re.findall(r"\{(\w+)u, (\w+)u, ([^}]+)\}", rows)
    return {int(at, 16): (int(size, 16), "WRITE" in access) for at, size, access in found}


class Rights(unittest.TestCase):
    def test_only_a_gate_with_leases_has_their_methods(self) -> None:
        system = changed("lease")
        first = rights.first_handles(system)["gate"]
        tables = [rights.table(system, process) for process in range(4)]
        named = {
            (process, gate): tables[process][first + gate].methods
            for process in range(4)
            for gate in range(3)
            if first + gate in tables[process]
        }
        self.assertEqual(
            named,
            {
                (CLIENT, 0): "lending_called_gate_methods",
                (CLIENT, 1): "lending_called_gate_methods",
                (CLIENT, 2): "called_gate_methods",
                (OTHER, 0): "lending_called_gate_methods",
                (OTHER, 1): "lending_gate_methods",
                (SERVER, 0): "lending_gate_methods",
                (SERVER, 2): "gate_methods",
            },
        )

    def test_a_system_without_leases_has_nothing_of_them(self) -> None:
        system = changed("calls")
        self.assertNotIn("lease.c", features.sources(system))
        self.assertIn("KERNEL_HAS_LEASES 0", features.header(system))
        self.assertNotIn("kernel_leases", emit_c.kernel_tables(system, place(system)))
        self.assertIn("lease.c", features.sources(changed("lease")))


class Reaches(unittest.TestCase):
    def test_a_thread_lends_what_the_protection_unit_opens(self) -> None:
        system = changed("lease")
        placed = place(system)
        judge_data, client_data = placed.regions
        for thread, writes in ((CLIENT_MAIN, True), (OTHER_MAIN, False)):
            stack = placed.stacks[thread]
            self.assertEqual(
                reaches(system, thread),
                {
                    stack.address: (stack.size, True),
                    judge_data.address: (judge_data.size, True),
                    client_data.address: (client_data.size, writes),
                    placed.user_code.address: (placed.user_code.size, False),
                },
            )

    def test_code_of_its_own_is_lent_to_be_read_and_a_device_not_at_all(self) -> None:
        own = 'restarts = true\nsupervisor = "high_main"'
        code = f'{own}\ncode_files = ["*client.o"]\ncode_bytes = 512'
        system = changed("lease", (own, code), (FIRST_GATE, WINDOW + FIRST_GATE))
        found = reaches(system, CLIENT_MAIN)
        placed = place(system).own_code[CLIENT]
        self.assertEqual(found[placed.address], (placed.size, False))
        self.assertNotIn(0x5000_0000, found)
        self.assertLessEqual(len(found), 6)
