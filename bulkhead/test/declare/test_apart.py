# SPDX-License-Identifier: MIT
"""Tests of separate rights to send to an object and to receive from it: the tables that the
generator writes for each process, the drawing, and the error for each mistake.
"""

from __future__ import annotations

import unittest

from bulkhead_declare import emit_objects, features, rights, source
from bulkhead_declare.model import DeclarationError, System
from bulkhead_draw import isolation, text
from declarations import TARGET, changed
from test_draw import process

APART = TARGET / "apart.toml"


def methods(system: System, index: int) -> list[str]:
    """Returns the names of a process's method tables, for semaphores, queues, flags and pools."""
    found = (each.methods for each in rights.table(system, index).values())
    kinds = ("semaphore", "queue", "flags", "pool")
    return [each.removesuffix("_methods") for each in found if any(kind in each for kind in kinds)]


class Tables(unittest.TestCase):
    def test_each_side_has_its_own_table(self) -> None:
        system = source.read(APART)[0]
        judge = ["semaphore", "queue", "four_word_queue", "flags", "pool"]
        self.assertEqual(methods(system, 0), judge)
        sender = [
            "given_semaphore", "sent_queue", "sent_four_word_queue", "set_flags", "freed_pool",
        ]  # fmt: skip
        self.assertEqual(methods(system, 1), sender)
        receiver = [
            "taken_semaphore", "received_queue", "received_four_word_queue", "awaited_flags",
            "allocated_pool",
        ]  # fmt: skip
        self.assertEqual(methods(system, 2), receiver)

    def test_who_is_of_both_sides_is_a_user(self) -> None:
        system = changed("apart", ('senders = ["sender"]', 'senders = ["sender", "receiver"]'))
        self.assertIn("queue", methods(system, 2))

    def test_the_picture_has_only_the_calls_of_the_side(self) -> None:
        shown = text.text(isolation.read(APART))
        for row in ("count .* give;", "short .* send;", "signals .* set;", "blocks .* free;"):
            self.assertRegex(process(shown, "sender"), row)
        waiting = "clear, wait any, wait all, take any, take all"
        for row in ("count .* take;", "words .* receive;", f"signals .* {waiting};"):
            self.assertRegex(process(shown, "receiver"), row)

    def test_a_timer_is_as_urgent_as_the_highest_that_may_take(self) -> None:
        timer = '[[timer]]\nname = "t"\nposts = "count"\nusers = ["judge"]\n[[semaphore]]'
        system = changed("apart", ("[[semaphore]]", timer))
        self.assertEqual(emit_objects.priority(system.timers[0].action, system), 4)
        takerless = changed("apart", ('takers = ["receiver"]', timer.removesuffix("[[semaphore]]")))
        # The sender's threads have priority 4 and may only give, so they do not count.
        self.assertEqual(emit_objects.priority(takerless.timers[0].action, takerless), 10)

    def test_only_a_system_with_such_a_right_has_the_tables(self) -> None:
        self.assertIn("RIGHTS_APART 1", features.header(source.read(APART)[0]))
        self.assertIn("RIGHTS_APART 0", features.header(source.read(TARGET / "system.toml")[0]))


class Mistakes(unittest.TestCase):
    def refused(self, old: str, new: str, expected: str) -> None:
        with self.subTest(expected), self.assertRaisesRegex(DeclarationError, expected):
            changed("apart", (old, new))

    def test_each_is_named_with_a_remedy(self) -> None:
        both = 'users = ["judge"]\ngivers = ["sender"]\ntakers = ["receiver"]'
        one = "semaphore count: names sender in users and again for one side; remove one"
        self.refused(both, 'users = ["sender"]\ngivers = ["sender"]', one)
        self.refused(
            both, 'givers = ["sender"]', "semaphore count has neither takers nor users; add one"
        )
        self.refused(both, "", "no process has a right to semaphore count; name")
        self.refused(
            both,
            'takers = ["judge"]\nlocal = true',
            "semaphore count is local.*name the process in users",
        )
        self.refused(both, 'givers = ["nobody"]', "semaphore count: names process nobody")
        queue = 'users = ["judge"]\nsenders = ["sender"]\nreceivers = ["receiver"]'
        self.refused(queue, 'receivers = ["receiver"]', "queue short has neither senders nor users")
        self.refused(queue, 'givers = ["sender"]', "queue short: givers is no key of this table")
