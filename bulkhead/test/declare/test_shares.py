# SPDX-License-Identifier: MIT
"""Tests of regions that a process only reads: the settings of the protection unit, the drawing, and
the error for each mistake.
"""

from __future__ import annotations

import unittest
from collections.abc import Callable

from bulkhead_declare import architecture, emit_c, features, mpu, pmp, pmsav8
from bulkhead_declare.model import DeclarationError, System
from bulkhead_declare.placement import place
from bulkhead_draw import cards, isolation, text
from declarations import TARGET, changed
from test_draw import process

SHARE = TARGET / "share.toml"
RV32 = (
    ("[image]", '[image]\narchitecture = "rv32"'),
    ("code = [0x0000_0000, 0x0040_0000]", "code = [0x8000_0000, 0x0008_0000]"),
    ("data = [0x2000_0000, 0x0040_0000]", "data = [0x8008_0000, 0x0008_0000]"),
)
ARMV8M = (("[image]", '[image]\narchitecture = "armv8-m"'),)
WRITER, READER = 1, 2


class Units(unittest.TestCase):
    def require(self, system: System, encoded: Callable[[int, int], str], data: str) -> None:
        """Requires that the reader may only read the shared region and that the writer may write
        it."""
        placed = place(system)
        share = placed.regions[1]
        tables = emit_c.kernel_tables(system, placed)
        rows = [tables.partition(f"[{index}] = {{{{.regions")[2] for index in (WRITER, READER)]
        written, read = (row.partition(".name")[0] for row in rows)
        only = encoded(share.address, share.size)
        self.assertIn(only, read)
        self.assertNotIn(only, written)
        self.assertIn(data, written)

    def test_armv7m_lets_only_the_kernel_write(self) -> None:
        system = changed("share")
        share = place(system).regions[1]
        data = str(mpu.encode(2, share.address, share.size, mpu.DATA))

        def only(address: int, size: int) -> str:
            return str(mpu.encode(2, address, size, mpu.PAGE))

        self.require(system, only, data)

    def test_armv8m_lets_nobody_write(self) -> None:
        system = changed("share", *ARMV8M)
        share = place(system).regions[1]
        data = str(pmsav8.encode(share.address, share.size, pmsav8.DATA))

        def only(address: int, size: int) -> str:
            return str(pmsav8.encode(address, size, pmsav8.PAGE))

        self.require(system, only, data)

    def test_rv32_has_an_entry_that_is_only_read(self) -> None:
        regions = architecture.of(changed("share", *RV32)).process(
            None, (), (place(changed("share")).regions[1],), ()
        )
        self.assertIn(f"{pmp.CODE | pmp.DATA << 8 | (pmp.NAPOT | 1) << 16:#010x}u", regions)

    def test_only_armv8m_has_code_for_it(self) -> None:
        self.assertIn("options/shares.c", features.sources(changed("share", *ARMV8M)))
        for system in (
            changed("share"),
            changed("share", *RV32),
            changed("share", *ARMV8M, ('readers = ["reader"]', "")),
        ):
            self.assertNotIn("options/", features.sources(system))
            self.assertIn("HAS_SHARES 0", features.header(system))


class Shown(unittest.TestCase):
    def test_the_picture_says_which_process_writes(self) -> None:
        shown = isolation.read(SHARE)
        words = text.text(shown)
        self.assertRegex(process(words, "writer"), "region share .* 256 bytes, read by reader")
        only = "region share .* 256 bytes, only read; written by writer"
        self.assertRegex(process(words, "reader"), only)
        ends = {
            card.title: row.ends[0].way
            for card in cards.cards(shown)
            for row in card.rows
            if row.name == "share"
        }
        expected = {"process writer": cards.Way.BOTH, "process reader": cards.Way.IN}
        self.assertEqual(ends, expected)


class Mistakes(unittest.TestCase):
    def test_each_is_named_with_a_remedy(self) -> None:
        readers = 'readers = ["reader"]'
        window = (
            '[[window]]\nname = "w{0}"\naddress = 0x4000_{0}000\nbytes = 32\nusers = ["reader"]\n'
        )
        windows = "".join(window.format(number) for number in range(3))
        for old, new, expected in (
            (
                readers,
                'readers = ["writer"]',
                "share: names writer in readers.*remove it",
            ),
            (
                readers,
                'users = ["reader"]\nreaders = ["reader"]',
                "share: names reader in readers.*remove it",
            ),
            (readers, 'readers = ["nobody"]', "region share: names process nobody"),
            ("[[timer]]", windows + "[[timer]]", "process reader needs 5 regions"),
        ):
            with self.subTest(expected), self.assertRaisesRegex(DeclarationError, expected):
                changed("share", (old, new))

    def test_a_reader_may_receive_blocks_of_a_pool(self) -> None:
        pool = (
            '[[pool]]\nname = "p"\nblocks = 2\nblock_bytes = 16\nregion = "share"\n'
            'allocators = ["writer"]\nfreers = ["reader"]\n[[timer]]'
        )
        self.assertEqual(len(changed("share", ("[[timer]]", pool)).pools), 1)
        with self.assertRaisesRegex(
            DeclarationError, "process judge uses pool p, but not its region share"
        ):
            changed("share", ("[[timer]]", pool.replace('"reader"', '"judge"')))
