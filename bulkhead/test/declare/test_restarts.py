# SPDX-License-Identifier: MIT
"""Tests of restart policies and of the record: the generator's errors, and what it writes."""

from __future__ import annotations

import unittest

from bulkhead_declare import (
    emit_c,
    emit_interface,
    emit_ld,
    emit_vectors,
    features,
    placement,
    records,
    restarts,
)
from bulkhead_declare.model import DeclarationError
from declarations import changed


class Policies(unittest.TestCase):
    def refused(self, message: str, *changes: tuple[str, str], name: str = "restart") -> None:
        with self.assertRaisesRegex(DeclarationError, message):
            changed(name, *changes)

    def test_a_policy_needs_a_supervisor_who_decides_alone(self) -> None:
        named = 'supervisor = "boss_main"\nescalation'
        self.refused("escalation but no supervisor; name a", (named, "escalation"))
        self.refused("remove restarts", (named, f"restarts = true\n{named}"))

    def test_keys_of_a_policy_need_an_escalation(self) -> None:
        for key in ("restart_limit = 3", "restart_delay_ticks = 2", "alive = 'hanger_alive'"):
            policy = 'controls = ["faulty_other"]\nescalation = "end"\n'
            others = "restart_limit = 3\nrestart_delay_ticks = 2\nstable_ticks = 40\n"
            without = policy.replace('escalation = "end"\n', f"{key}\n")
            self.refused("but no escalation; add escalation", (policy + others, without))
        self.refused("must be 'end' or 'reset'", ('escalation = "end"', 'escalation = "stop"'))

    def test_a_limit_needs_a_time_and_times_need_a_limit(self) -> None:
        self.refused("add stable_ticks", ("stable_ticks = 40\n", ""))
        self.refused("is never restarted", ("restart_limit = 3\n", ""))
        self.refused("has restart_limit -1", ("restart_limit = 3", "restart_limit = -1"))
        many = ("restart_delay_ticks = 2", f"restart_delay_ticks = {1 << 30}")
        self.refused("has restart_delay_ticks", many)

    def test_nobody_else_says_that_a_process_is_alive(self) -> None:
        users = 'users = ["hanger", "boss"]'
        for others in ('["hanger", "boss", "client"]', '["hanger"]', '["client", "boss"]'):
            self.refused("make exactly boss and hanger its users", (users, f"users = {others}"))
        gate = '[[gate]]\nname = "service"'
        timer = '[[timer]]\nname = "liar"\nsets = "hanger_alive"\nflags = 3\nusers = ["hanger"]\n\n'
        self.refused("sets flags hanger_alive.*let it set other flags", (gate, f"{timer}{gate}"))
        for bits in (0, 1 << 31, -1):
            self.refused("use bits 0 to 30", ("alive_flags = 3", f"alive_flags = {bits}"))
        self.refused("names flags nothing", ('alive = "hanger_alive"', 'alive = "nothing"'))

    def test_a_reset_needs_the_right(self) -> None:
        self.refused("add a record", ('escalation = "end"', 'escalation = "reset"'))
        users = '"black_box"\nusers = '
        changed = (f'{users}["keeper"]', f'{users}["hostile"]')
        self.refused("add a record with keeper in its users", changed, name="record")

    def test_each_supervisor_has_a_table_of_its_own(self) -> None:
        system = changed("restart")
        names = list(restarts.names(system))
        self.assertIn("enum { POLICIES_BOSS_MAIN = 5 };", names)
        rows = "\n".join(restarts.definitions(system))
        self.assertEqual(rows.count(".process ="), 5)
        self.assertIn(".limit = 3, .stable_ticks = 40, .delay_ticks = 2", rows)

    def test_a_system_without_a_policy_has_nothing_of_it(self) -> None:
        system = changed("system")
        self.assertEqual(list(restarts.tables(system)), [])
        self.assertEqual(list(restarts.names(system)), [])
        self.assertNotIn("options/", features.sources(system))
        self.assertIn("KERNEL_HAS_RESTARTS 0", features.header(system))
        self.assertNotIn("restarted_process", emit_c.kernel_tables(system, placement.place(system)))


class Records(unittest.TestCase):
    def test_there_is_one_record_which_somebody_reads(self) -> None:
        record = '[[record]]\nname = "black_box"\nusers = ["keeper"]\n'
        other = record.replace("black_box", "other")
        with self.assertRaisesRegex(DeclarationError, "two records.*combine them"):
            changed("record", (record, record + other))
        with self.assertRaisesRegex(DeclarationError, "no process has a right to the record; name"):
            changed("record", ('escalation = "reset"', 'escalation = "end"'),
                 (record, record.replace('"keeper"', "")))  # fmt: skip

    def test_no_section_of_the_image_may_lie_in_the_record(self) -> None:
        system = changed("record")
        placed = placement.place(system)
        address = system.data.origin + system.data.length - records.BYTES
        script = emit_ld.script(system, placed)
        self.assertIn(f"kernel_record = {address:#x};", script)
        length = system.data.length - records.BYTES
        self.assertIn(f"ORIGIN = {system.data.origin:#x}, LENGTH = {length:#x}", script)
        self.assertEqual(emit_interface.of(system, placed).kept, ((records.SYMBOL, address),))

    def test_memory_without_room_for_the_record_is_refused(self) -> None:
        data = "data = [0x2000_0000, "
        system = changed("record", (f"{data}0x0040_0000]", f"{data}0x900]"))
        with self.assertRaisesRegex(DeclarationError, "no memory is left"):
            placement.place(system)

    def test_the_watchdog_has_a_vector_in_a_system_with_a_record_alone(self) -> None:
        self.assertIn("    NMI_Handler,", emit_vectors.vectors(changed("record")))
        self.assertNotIn("NMI_Handler", emit_vectors.vectors(changed("restart")))
