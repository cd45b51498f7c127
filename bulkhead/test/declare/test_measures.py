# SPDX-License-Identifier: MIT
"""Tests of measuring threads: the rights to measure, the drawing, the error for each mistake, and
that a system without such rights has no code or data for them.
"""

from __future__ import annotations

import unittest

from bulkhead_declare import features, measures, rights, source
from bulkhead_declare.model import DeclarationError
from bulkhead_declare.placement import place
from bulkhead_draw import isolation, text
from declarations import TARGET, changed
from test_draw import process

MEASURES = TARGET / "measures.toml"
BOTH = "stack_marks = true\nthread_times = true"


class Rights(unittest.TestCase):
    def test_each_process_measures_its_threads_and_idle(self) -> None:
        system = source.read(MEASURES)[0]
        found = {
            index: [each.object for each in rights.table(system, index).values()][1:]
            for index in range(3)
        }
        idle = f"(void *)&kernel_measured[{len(system.threads)}]"
        self.assertEqual(found[2], ["&gates[0]", "(void *)&kernel_measured[2]", idle])
        self.assertNotIn(idle, found[1])
        self.assertEqual(sum("measured" in each for each in found[0]), 6)

    def test_the_picture_shows_whom_a_process_measures(self) -> None:
        shown = process(text.text(isolation.read(MEASURES)), "stranger")
        self.assertRegex(shown, "measured stranger .* stack left, time; also judge")
        self.assertRegex(shown, "measured kernel_idle .* stack left, time")
        self.assertNotIn("measured worker_a", shown)


class Parts(unittest.TestCase):
    def test_a_system_has_the_parts_that_it_declares(self) -> None:
        for new, marks, times in (
            (BOTH, True, True),
            ("stack_marks = true", True, False),
            ("thread_times = true", False, True),
        ):
            system = changed("measures", (BOTH, new))
            sources = features.sources(system)
            self.assertEqual("options/marks.c" in sources, marks)
            self.assertEqual("options/times.c" in sources, times)
            counts = "\n".join(measures.tables(system, place(system)))
            self.assertEqual("thread_counts[0]" in counts, times)

    def test_a_system_without_them_has_nothing_of_them(self) -> None:
        system = source.read(TARGET / "system.toml")[0]
        self.assertEqual(list(measures.tables(system, place(system))), [])
        self.assertEqual(rights.counts(system)["measured"], 0)
        self.assertNotIn("options/", features.sources(system))


class Mistakes(unittest.TestCase):
    def test_each_is_named_with_a_remedy(self) -> None:
        for old, new, expected in (
            (BOTH, "", "process judge has measures, but .* add stack_marks or thread_times"),
            (BOTH, f"{BOTH}\ntickless = true", "remove tickless from"),
            ('measures = ["stranger"]', 'measures = ["nobody"]', "names thread nobody"),
        ):
            with self.subTest(expected), self.assertRaisesRegex(DeclarationError, expected):
                changed("measures", (old, new))
