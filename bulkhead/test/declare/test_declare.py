# SPDX-License-Identifier: MIT
"""Tests of the generator of a Bulkhead system: every region that the MPU can describe, and the
error for every mistake in a declaration.
"""

from __future__ import annotations

import itertools
import re
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from bulkhead_declare import (
    budgets,
    check,
    emit_c,
    emit_ld,
    emit_objects,
    features,
    mpu,
    placement,
    pmp,
    pmsav8,
    rights,
    source,
)
from bulkhead_declare.model import DeclarationError, System
from bulkhead_declare.regions import Reach

DECLARATION = Path(__file__).resolve().parents[1] / "target" / "system.toml"


def decoded(encoded: mpu.Encoded) -> tuple[int, int]:
    """Decodes the address and size of an MPU region as the processor does (DDI 0403E, B3.5.8 and
    B3.5.9)."""
    size = 1 << ((encoded.attributes >> 1 & 31) + 1)
    return encoded.base & ~31 & ~(size - 1) & 0xFFFF_FFFF, size


def matched(address: int) -> tuple[int, int]:
    """Returns the range that a PMP entry matches (Privileged Architecture, 3.7.1): the ones at the
    end of the entry encode the size.
    """
    ones = (~address & address + 1).bit_length() - 1
    return address >> ones << ones + 2, 8 << ones


class Ceilings(unittest.TestCase):
    TABLE = 'name = "suspect"'

    def system(self, declared: str = "") -> System:
        text = DECLARATION.read_text().replace(self.TABLE, self.TABLE + declared, 1)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "system.toml"
            file.write_text(text)
            return source.read(file)[0]

    def test_the_ceiling_is_the_highest_priority_that_is_controlled(self) -> None:
        system = self.system()
        self.assertEqual([rights.ceiling(system, process) for process in range(3)], [8, 8, 0])

    def test_a_declared_ceiling_counts(self) -> None:
        self.assertEqual(rights.ceiling(self.system("\nceiling = 5"), 1), 5)

    def test_a_ceiling_that_is_no_priority_is_refused(self) -> None:
        for ceiling in (-1, 32):
            with self.assertRaisesRegex(DeclarationError, "has ceiling"):
                check.check(self.system(f"\nceiling = {ceiling}"))

    def test_a_ceiling_without_controls_is_refused(self) -> None:
        system = self.system("\nceiling = 5")
        with self.assertRaisesRegex(DeclarationError, "controls no thread"):
            check.check(replace(system, controls={}))


class Budgets(unittest.TestCase):
    def system(self, ticks: int = 1, period: int = 2) -> System:
        system = source.read(DECLARATION)[0]
        process = replace(system.processes[0], budget_ticks=ticks, budget_period_ticks=period)
        return replace(system, processes=(process,))

    def mistake(self, ticks: int, period: int) -> str:
        return next(budgets.mistakes(self.system(ticks, period)), "")

    def test_a_budget_needs_time_and_a_longer_period(self) -> None:
        self.assertEqual(self.mistake(3, 10), "")
        self.assertRegex(self.mistake(3, 0), "has only one of budget_ticks and")
        self.assertRegex(self.mistake(0, 10), "has only one of budget_ticks and")
        for ticks, period in ((10, 10), (-1, 10), (1, 1 << 31)):
            self.assertRegex(self.mistake(ticks, period), "make budget_ticks less")

    def test_a_budget_needs_every_tick(self) -> None:
        system = replace(self.system(), tickless=True)
        self.assertRegex(next(budgets.mistakes(system)), "remove tickless from")

    def test_a_process_without_threads_has_no_budget(self) -> None:
        system = replace(self.system(), threads=())
        self.assertRegex(next(budgets.mistakes(system)), "no thread")

    def test_a_system_without_budgets_has_nothing_of_them(self) -> None:
        system = self.system(0, 0)
        self.assertEqual(list(budgets.tables(system)), [])
        self.assertNotIn("options/", features.sources(system))
        self.assertIn("KERNEL_HAS_BUDGETS 0", features.header(system))


class Regions(unittest.TestCase):
    def test_every_size_at_every_address_bit(self) -> None:
        for power in range(5, 32):
            size = 1 << power
            for bit in range(power, 32):
                address = 1 << bit
                encoded = mpu.encode(3, address, size, mpu.DATA)
                self.assertEqual(decoded(encoded), (address, size))
                self.assertEqual(encoded.base & 31, 1 << 4 | 3)
                self.assertEqual(encoded.attributes & 1, 1)

    def test_unrepresentable_sizes_are_refused(self) -> None:
        for size in (*range(32), *range(33, 64), 96, 0x1001):
            with self.assertRaises(DeclarationError, msg=str(size)):
                mpu.encode(0, 0, size, 0)

    def test_misaligned_addresses_are_refused(self) -> None:
        for power in range(5, 20):
            for offset in range(1, min(1 << power, 4096), 7):
                with self.assertRaises(DeclarationError):
                    mpu.encode(0, (1 << 20) + offset, 1 << power, 0)

    def test_region_size_is_the_smallest_that_holds(self) -> None:
        for wanted in range(1, 5000):
            size = mpu.SHAPE.size(wanted)
            self.assertGreaterEqual(size, max(32, wanted))
            self.assertTrue(size == 32 or size // 2 < wanted)

    def test_data_is_never_executable(self) -> None:
        for attributes in (mpu.DATA, mpu.PAGE, mpu.DEVICE):
            self.assertTrue(attributes >> 28 & 1)

    def test_a_region_of_armv8m_is_any_multiple_of_32(self) -> None:
        for size in range(32, 4096, 32):
            encoded = pmsav8.encode(0x2000_0020, size, pmsav8.DATA)
            self.assertEqual(encoded.base & ~31, 0x2000_0020)
            self.assertEqual((encoded.limit | 31) + 1, 0x2000_0020 + size)
            self.assertEqual(encoded.limit & 1, 1)

    def test_a_region_that_armv8m_cannot_have_is_refused(self) -> None:
        for address, size in ((0, 0), (0, 33), (16, 32), (8, 64)):
            with self.assertRaises(DeclarationError):
                pmsav8.encode(address, size, pmsav8.DATA)

    def test_data_is_never_executable_on_armv8m(self) -> None:
        self.assertTrue(pmsav8.DATA & pmsav8.PAGE & 1)

    def test_regions_of_armv8m_waste_less_than_32_bytes(self) -> None:
        placed = placement.place(replace(source.read(DECLARATION)[0], architecture="armv8-m"))
        self.assertTrue(all(each.padding < 32 for each in placed.everything))

    def test_a_half_written_stack_of_armv8m_overlaps_nothing_else(self) -> None:
        """Checks the region when only its base is written: an interrupt may come at this time."""
        for file in sorted(DECLARATION.parent.glob("*.toml")):
            system = replace(source.read(file)[0], architecture="armv8-m")
            placed = placement.place(system)
            others = [*placed.regions, *placed.own_code.values(), placed.user_code, placed.page]
            windows = [(each.address, each.bytes) for each in system.windows]
            for new, old in itertools.permutations(placed.stacks, 2):
                half = Reach("overlaps", new.address, max(0, old.address + old.size - new.address))
                self.assertFalse([each for each in others if half.meets(each.address, each.size)])
                self.assertFalse([each for each in windows if half.meets(*each)])

    def test_every_region_of_armv8m_lies_above_the_limit_of_every_stack(self) -> None:
        """A stack pointer below its limit faults, even in a region that the thread may write."""
        for file in sorted(DECLARATION.parent.glob("*.toml")):
            placed = placement.place(replace(source.read(file)[0], architecture="armv8-m"))
            highest = max(each.address for each in placed.stacks)
            self.assertFalse([each for each in placed.regions if each.address < highest])

    def test_an_entry_of_the_pmp_has_every_size_at_every_address_bit(self) -> None:
        for power in range(4, 32):
            for bit in range(power, 32):
                encoded = pmp.encode(1 << bit, 1 << power)
                self.assertEqual(matched(encoded), (1 << bit, 1 << power))

    def test_an_entry_of_the_pmp_is_aligned(self) -> None:
        for address, size in ((0, 8), (0, 24), (8, 16), (64, 128)):
            with self.assertRaises(DeclarationError):
                pmp.encode(address, size)

    def test_regions_of_a_system_do_not_overlap(self) -> None:
        placed = placement.place(source.read(DECLARATION)[0])
        every = sorted((*placed.regions, *placed.stacks), key=lambda each: each.address)
        for lower, upper in itertools.pairwise(every):
            self.assertLessEqual(lower.address + lower.size, upper.address)
        self.assertLessEqual(every[-1].address + every[-1].size, placed.kernel_data)

    def test_the_page_alone_of_the_kernels_state_is_with_the_shared_code_on_rv32(self) -> None:
        placed = placement.place(system_of(RV32))
        code = placed.user_code
        self.assertEqual(placed.page.address + placed.page.size, code.address + code.size)
        self.assertLessEqual(placed.stack_top, placed.images)


LOCAL_MUTEX = """
[[mutex]]
name = "m"
users = ["only"]
local = true
"""
OWN_REGION = """
[[region]]
name = "{0}"
owner = "only"
bytes = 64
files = []
"""


class Local(unittest.TestCase):
    def test_local_objects_need_a_region_of_their_process(self) -> None:
        with self.assertRaises(DeclarationError) as caught:
            system_of(RV32 + LOCAL_MUTEX)
        self.assertIn(
            "mutex m is local to process only, which owns no region", str(caught.exception)
        )
        system_of(RV32 + LOCAL_MUTEX + OWN_REGION.format("own"))

    def test_each_process_has_arrays_and_a_section_of_its_own(self) -> None:
        system = system_of(CLOSED.read_text())
        objects = emit_c.user_objects(system, placement.place(system))
        for name in ("local_mutexes_p", "local_mutexes_victim", "local_pools_victim"):
            self.assertIn(f"{name}[] = ", objects)
        script = emit_ld.script(system, placement.place(system))
        self.assertIn("*(.bulkhead_local.p)", script.partition(".region.p_data")[2])
        self.assertIn("*(.bulkhead_local.victim)", script.partition(".region.victim_data")[2])


class Timers(unittest.TestCase):
    def test_a_timer_is_as_urgent_as_the_highest_that_can_wait_for_what_it_does(self) -> None:
        own = 'posts = "ticked"'
        for text, expected in (
            (own, 6),  # the prover has two regions
            ('notifies = "first"', 4),
            ('resumes = "second"', 5),
            ('sets = "between"\nflags = 1', 4),  # the prover and the waiters have handles
        ):
            with self.subTest(text):
                system = system_of(SIGNALS.read_text().replace(own, text, 1))
                action = system.timers[0].action
                self.assertEqual(emit_objects.priority(action, system), expected)


RV32 = """
[image]
architecture = "rv32"
code = [0x8000_0000, 0x0008_0000]
data = [0x8008_0000, 0x0008_0000]
[[process]]
name = "only"
[[thread]]
name = "one"
process = "only"
entry = "one_main"
stack_bytes = 512
priority = 1
"""

# A text of the correct declaration, its replacement, and the texts that the error must contain in
# this order, separated by "…": the named thing, and the way out.
MISTAKES = (
    ("stack_bytes = 512", "", "thread peer has no stack"),
    ("priority = 9", "priority = 32", "thread suspect has priority 32"),
    ("maximum = 2", "maximum = 0", "semaphore local … maximum 0; use a maximum above 0"),
    ("maximum = 2", "maximum = 65536", "semaphore local … 65536; lower it to 65535"),
    ('users = ["prover", "victim"]', "users = []", "right to semaphore shared; name processes"),
    (
        'users = ["prover", "suspect"]',
        'users = ["prover", "suspect"]\nlocal = true',
        "is local … remove local",
    ),
    ('posts = "shared"', 'posts = "nothing"', "names semaphore nothing … declared: local, shared"),
    ('posts = "shared"', "", "has no action; add one of posts"),
    ("line = 17", "line = 16", "line 16; remove one"),
    ("message_bytes = 8", "message_bytes = 6", "queue … message_bytes 6 … multiple of 4"),
    ('pends = ["posts"', 'pends = ["nothing"', "names interrupt nothing"),
    ("line = 17", "line = 240", "line 240; use 0 to 239"),
    ('entry = "peer_main"', "", "thread peer: has no key entry; add it"),
    ('entry = "peer_main"', 'entry = "peer_main"\ncolour = 3', "colour is no key … remove it"),
    ('entry = "peer_main"', 'entries = "peer_main"', "entries is no key … write entry"),
    ('entry = "peer_main"', "entry = true", "entry is True; it must be a text"),
    ('users = ["prover", "victim"]', 'users = "prover"', "it must be a list of texts"),
    ('users = ["prover", "victim"]', "users = [1]", "it must be a list of texts"),
    ("code = [0x0000_0000", "code = [0, 0x0000_0000", "it must be an origin and a length"),
    ("[[mutex]]", "[timer]\n[[mutex]]", "timer is one table; write [[timer]]"),
    ("[image]", "[images]", "images; use image, process"),
    ('posts = "shared"', 'posts = "shared"\nflags = 1', "has flags but no sets; remove flags"),
    ('posts = "shared"', 'posts = "shared"\ntrigger = "edge"', "but no delivers; remove trigger"),
    ('posts = "shared"', 'posts = "shared"\nresumes = "peer"', "posts and resumes; keep one"),
    ('posts = "shared"', 'posts = "shared"\ndelivers = "peer"', "posts and delivers; keep one"),
    ('name = "victim"\nnotifies', 'name = "prover"\nnotifies', "process prover … rename"),
    ("[[mutex]]", "[[mutexes]]", "mutexes; use"),
    ("bytes = 1024", 'bytes = "many"', "it must be a whole number"),
    ("0x2000_0000, 0x0040_0000", "0x2000_0000, 0x0000_0800", "no memory is left"),
    ("0x2000_0000, 0x0040_0000", "0x2000_0008, 0x0040_0000", "0x20000008 … at 0x20000020"),
    ("0x2000_0000, 0x0040_0000", "0x0000_0000, 0x0040_0000", "code overlaps data"),
    ("0x2000_0000, 0x0040_0000", "0xFFFF_0000, 0x0040_0000", "data is empty … change its"),
    ("priority = 9", "priority = 9\nslice_ticks = 256", "thread suspect has slice_ticks 256"),
    (
        'posts = "shared"',
        'delivers = "peer"\ntrigger = "both"',
        "trigger is 'both'; it must be 'edge' or 'level'",
    ),
    ("code_bytes = 256", "", "process victim has only one of code_files and code_bytes; add"),
    ('supervisor = "prover"', 'supervisor = "suspect"', "own thread suspect … another process"),
    ("[image]", '[image]\narchitecture = "vax"', "is vax; use one of armv7-m, armv8-m, rv32"),
    ("[image]", "[image]\nregion_alignment = 48", "is 48; make it a power of two"),
    ("code_bytes = 256", "code_bytes = 4194304", "no memory is left for code of victim"),
    ('name = "victim"\nnotifies', 'name = "vic-tim"\nnotifies', "no identifier … use letters"),
    ('name = "victim"\nnotifies', 'name = "vic tim"\nnotifies', "no identifier … use letters"),
    ('name = "victim"\nnotifies', 'name = "Prover"\nnotifies', "process Prover … rename"),
    ('name = "orders"', 'name = "memory_data"', "region memory_data … another name"),
    ('name = "orders"', 'name = "kernel"', "region kernel … another name"),
    ('name = "orders"', 'name = "2nd"', "region '2nd' … use letters"),
    ('entry = "peer_main"', 'entry = "while"', "the entry of thread peer, 'while', is no name"),
    ('handler = "Interrupt0_Handler"', 'handler = "a b"', "the handler of interrupt 16, 'a b'"),
    ("code = [0x0000_0000", "code = [0x0000_0080", "code begins at 0x80 … at 0x100"),
    (
        'bytes = 64\nfiles = ["*suspect.o"]',
        'bytes = 64\nfiles = ["*victim.o"]',
        "region orders and region victim_data both claim the data of *victim.o; remove",
    ),
    (
        'code_files = ["*suspect.o"]',
        'code_files = ["*victim.o"]',
        "both claim the code of *victim.o",
    ),
)

WINDOW = """
[[window]]
name = "at_{0}"
address = {0}
bytes = {1}
users = ["prover"]
"""
WINDOWS = (
    (WINDOW.format("0x4000_0010", 64), "0x40000010 cannot be protected; move it to 0x40000040"),
    (WINDOW.format("0x4000_0000", 48), "48 bytes cannot be protected; make it 64 bytes"),
    (WINDOW.format("0x2000_0000", 64), "overlaps data"),
    (WINDOW.format("0x2200_0000", 0x0200_0000), "is a bit-band alias of data; change its address"),
    (WINDOW.format("0x2000_0000", 0x1000_0000), "overlaps data"),
    (WINDOW.format("0xE000_E000", 4096), "overlaps the private peripheral bus; change its address"),
    (WINDOW.format("0x1_0000_0000", 64), "is beyond 0x100000000; correct its address"),
    (
        "".join(WINDOW.format(i, 64) for i in ("0x4000_0000", "0x4200_0000")),
        "window at_0x4200_0000 is a bit-band alias of at_0x4000_0000",
    ),
    (
        "".join(WINDOW.format(0x4000_0000 + i, 64) for i in (0, 64, 128)),
        "process prover needs 5 regions … combine",
    ),
)


def system_of(text: str) -> System:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "system.toml"
        file.write_text(text)
        system, _ = source.read(file)
    check.check(system)
    placement.place(system)
    return system


# Mistakes in the declarations signals.toml and calls.toml, with the texts of each error.
SIGNALS = DECLARATION.with_name("signals.toml")
CLOSED = DECLARATION.parents[1] / "closed" / "system.toml"
CALLS = DECLARATION.with_name("calls.toml")
SERVICE_MISTAKES = (
    (
        SIGNALS,
        "initial = 0x8",
        "initial = 0x80000000",
        "flags between … 0x80000000; use bits 0 to 30",
    ),
    (SIGNALS, "flags = 0x40", "flags = 0", "sets flags 0x0; use at least one"),
    (SIGNALS, "maximum = 100", "maximum = 0xFFFFFFFF", "lower it to 2147483647"),
    (SIGNALS, "flags = 0x10", "", "has sets but no flags; add flags"),
    (SIGNALS, 'sets = "within"', "", "add one of posts, resumes, notifies, sets"),
    (SIGNALS, 'region = "common"', "", "has no region for its blocks; name its region"),
    (SIGNALS, 'region = "common"', 'region = "nowhere"', "names region nowhere"),
    (
        SIGNALS,
        'users = ["waiters", "stranger"]',
        'users = ["stranger"]',
        "process waiters uses pool … add the process",
    ),
    (
        SIGNALS,
        'region = "common"',
        'region = "common"\nlocal = true',
        "is local, but 2 processes use it … remove local",
    ),
    (
        SIGNALS,
        "blocks = 2",
        'blocks = 2\nregion = "common"',
        "is local and has a region; remove local or region",
    ),
    (SIGNALS, "block_bytes = 24", "block_bytes = 20", "pool blocks … multiple of 8"),
    (SIGNALS, "blocks = 3", "blocks = 70000", "70000 blocks; use 65534 or less"),
    (CALLS, 'users = ["callers", "doomed"]', "users = []", "right to gate … name processes"),
    (CALLS, 'server = "server"', 'server = "nobody"', "names thread nobody"),
    (
        CALLS,
        "[[gate]]",
        '[[gate]]\nname = "other"\nserver = "server"\nusers = ["callers"]\n[[gate]]',
        "thread server … two gates … another thread",
    ),
)

# On RV32 the machine's timer is a device like any other.
RV32_WINDOWS = (
    (0x0200_4000, 16, "overlaps the timer's msip and mtimecmp; change its address"),
    (0x0200_0000, 0x1_0000, "overlaps the timer's msip and mtimecmp; change its address"),
    (0x0C20_0000, 16, "overlaps the interrupt controller; change its address"),
    (0x8000_0000, 16, "overlaps code; change its address"),
)


def parts(expected: str) -> str:
    """Returns a regular expression for the texts of an error, which "…" separates."""
    return ".*".join(map(re.escape, expected.split(" … ")))


class Mistakes(unittest.TestCase):
    def test_the_declaration_itself_is_right(self) -> None:
        self.assertEqual(len(system_of(DECLARATION.read_text()).threads), 4)

    def test_each_mistake_is_named(self) -> None:
        good = DECLARATION.read_text()
        for old, new, expected in MISTAKES:
            with self.subTest(expected):
                self.assertIn(old, good)
                with self.assertRaises(DeclarationError) as caught:
                    system_of(good.replace(old, new, 1))
                self.assertRegex(str(caught.exception), parts(expected))

    def test_each_mistake_with_a_service_is_named(self) -> None:
        for file, old, new, expected in SERVICE_MISTAKES:
            good = file.read_text()
            with self.subTest(expected), self.assertRaises(DeclarationError) as caught:
                self.assertIn(old, good)
                system_of(good.replace(old, new, 1))
            self.assertRegex(str(caught.exception), parts(expected))

    def test_each_wrong_window_is_named(self) -> None:
        for text, expected in WINDOWS:
            with self.subTest(expected), self.assertRaises(DeclarationError) as caught:
                system_of(DECLARATION.read_text() + text)
            self.assertRegex(str(caught.exception), parts(expected))

    def test_each_wrong_window_on_rv32_is_named(self) -> None:
        text = RV32 + WINDOW.replace("prover", "only")
        system_of(text.format(0x0200_BFF0, 16))  # only mtime
        for address, count, expected in RV32_WINDOWS:
            with self.subTest(expected), self.assertRaises(DeclarationError) as caught:
                system_of(text.format(address, count))
            self.assertRegex(str(caught.exception), parts(expected))


if __name__ == "__main__":
    unittest.main()
