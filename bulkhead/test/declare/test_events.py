# SPDX-License-Identifier: MIT
"""Tests of logs and of the trace: their addresses, what the image tells a reader about them, the
error for each mistake, and that a system without them has no code or data for them.
"""

from __future__ import annotations

import json
import unittest

from bulkhead_declare import emit_c, emit_interface, emit_ld, events, features, records, source
from bulkhead_declare.model import DeclarationError
from bulkhead_declare.placement import place
from declarations import TARGET, changed

BOTH = "trace_events = 64\ntrace_calls = true\nthread_times = true"


class Places(unittest.TestCase):
    def test_a_log_is_the_end_of_its_process_s_region_and_the_trace_that_of_the_data(self) -> None:
        system, names = source.read(TARGET / "log.toml")
        placed = place(system)
        text = events.names(system, placed, records.data(system), names.with_handles(system))
        found = json.loads(json.loads(text[text.index("= ") + 2 : text.rindex(";")]))
        end = system.data.origin + system.data.length
        bytes_ = events.ring_bytes(64)
        self.assertEqual(found["trace"], {"address": end - bytes_, "events": 64})
        regions = {each.owner: at for each, at in zip(system.regions, placed.regions, strict=True)}
        for log in found["logs"]:
            at = regions[log["process"]]
            self.assertEqual(
                log["address"] + events.ring_bytes(log["events"]), at.address + at.size
            )
        self.assertEqual([each["process"] for each in found["logs"]], [1, 2, 3])

    def test_no_data_of_a_process_or_of_the_kernel_may_lie_there(self) -> None:
        system = source.read(TARGET / "log.toml")[0]
        placed = place(system)
        script = emit_ld.script(system, placed)
        for region, at in zip(system.regions, placed.regions, strict=True):
            end = at.address + at.size - events.log_bytes(system, region)
            self.assertIn(f"ASSERT({region.name}_end <= {end:#x}", script)
        self.assertIn("EXTERN(bulkhead_identities)", script)
        left = system.data.length - events.ring_bytes(64)
        self.assertIn(f"LENGTH = {left:#x}", script)

    def test_a_record_and_a_trace_lie_one_after_the_other(self) -> None:
        system = changed("record", ("[image]", "[image]\ntrace_events = 8"))
        (trace, at), (record, after) = emit_interface.of(system, place(system)).kept
        self.assertEqual((trace, record), (events.SYMBOL, records.SYMBOL))
        self.assertEqual(at + events.ring_bytes(8), after)


class Parts(unittest.TestCase):
    def test_a_system_has_the_parts_that_it_declares(self) -> None:
        header = features.header(changed("log", (BOTH, "trace_events = 2")))
        self.assertIn("KERNEL_HAS_TRACE 1", header)
        self.assertIn("KERNEL_HAS_TRACE_CALLS 0", header)
        self.assertIn("KERNEL_HAS_LOGS 1", header)
        self.assertNotIn("options/trace.c", features.sources(changed("log", (BOTH, ""))))

    def test_a_system_without_them_has_nothing_of_them(self) -> None:
        system, names = source.read(TARGET / "system.toml")
        placed = place(system)
        named = names.with_handles(system)
        self.assertEqual(events.names(system, placed, records.data(system), named), "")
        self.assertNotIn("EXTERN", emit_ld.script(system, placed))
        for text in (
            emit_c.user_objects(system, placed),
            emit_c.kernel_tables(system, placed),
            names.handles(system),
        ):
            self.assertNotIn("log", text)
            self.assertNotIn("trace", text)
        self.assertNotIn("options/", features.sources(system))


class Mistakes(unittest.TestCase):
    def test_what_has_no_meaning_is_refused(self) -> None:
        tickless = "trace_events = 64\ntickless = true"
        for old, new, said in (
            ("log_events = 4", "log_events = 5", "process silent has log_events 5; use a power"),
            ("log_events = 4", "log_events = 1", "from 2 to 65536"),
            ("log_events = 4", "log_events = -4", "process silent has log_events -4"),
            ("trace_events = 64", "trace_events = 131072", r"\[image\] has trace_events 131072"),
            ("trace_events = 64\n", "", "trace_calls but no trace_events; add trace_events"),
            (BOTH, tickless, "tickless; remove one"),
            ('owner = "silent"', 'owner = "silent"\nusers = ["judge"]',
             "region silent_data has the log of process silent"),
            ('name = "judge"\n', 'name = "judge"\nlog_events = 4\n',
             "region judge_data has the log of process judge"),
        ):  # fmt: skip
            with self.subTest(new), self.assertRaisesRegex(DeclarationError, said):
                changed("log", (old, new))

    def test_a_process_without_a_region_has_no_log(self) -> None:
        region = '[[region]]\nname = "silent_data"\nowner = "silent"\nbytes = 32\nfiles = []\n'
        with self.assertRaisesRegex(
            DeclarationError, "silent has log_events but owns no region; declare one"
        ):
            changed("log", (region, ""))

    def test_readers_of_a_log_are_allowed(self) -> None:
        changed("log", ('owner = "silent"', 'owner = "silent"\nreaders = ["judge"]'))
