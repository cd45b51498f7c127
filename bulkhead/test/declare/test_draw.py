# SPDX-License-Identifier: MIT
"""Tests of the drawing of a declaration: it shows every right and no other, in all formats."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import bulkhead_draw
from bulkhead_declare import rights, source
from bulkhead_draw import cards, isolation, svg, text
from bulkhead_draw.isolation import Isolation

BULKHEAD = Path(__file__).resolve().parents[2]
DECLARATIONS = sorted(BULKHEAD.glob("examples/*/system.toml")) + sorted(
    BULKHEAD.glob("test/target/*.toml")
)
WORKSHOP = """
[image]
code = [0x0000_0000, 0x0040_0000]
data = [0x2000_0000, 0x0040_0000]
[[process]]
name = "control"
supervisor = "guard"
restarts = true
[[process]]
name = "watch"
controls = ["loop"]
pends = ["edge"]
[[region]]
name = "shared"
owner = "control"
users = ["watch"]
bytes = 64
files = ["*"]
[[thread]]
name = "loop"
process = "control"
entry = "loop_main"
stack_bytes = 256
priority = 1
[[thread]]
name = "guard"
process = "watch"
entry = "guard_main"
stack_bytes = 256
priority = 2
initially = "dormant"
[[semaphore]]
name = "beat"
initial = 0
maximum = 1
users = ["control"]
[[mutex]]
name = "own"
users = ["control"]
local = true
[[gate]]
name = "ask"
server = "guard"
users = ["control"]
[[timer]]
name = "period"
posts = "beat"
users = ["watch"]
[[interrupt]]
name = "edge"
line = 3
delivers = "loop"
"""


def declared(words: str) -> Isolation:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "system.toml"
        file.write_text(words)
        return isolation.read(file)


def process(shown: str, name: str) -> str:
    """Returns the rows of a process from the drawing as text."""
    return shown.split(f"process {name}: ")[1].split("\n\n")[0]


class Words(unittest.TestCase):
    def setUp(self) -> None:
        self.shown = text.text(declared(WORKSHOP))

    def test_a_process_shows_what_it_reaches(self) -> None:
        control = process(self.shown, "control")
        self.assertTrue(control.startswith("restarts after a fault; tells thread guard"))
        for row in (
            "thread loop .* priority 1, stack 256 bytes",
            "region shared .* 64 bytes, also of watch",
            "semaphore beat .* take, give",
            "mutex own .* lock, unlock; in the process itself",
            "gate ask .* call; also watch",
            "interrupt edge .* acknowledge, wait; also watch",
        ):
            self.assertRegex(control, row)
        watch = process(self.shown, "watch")
        for row in (
            "thread guard .* dormant at the start",
            "right to thread loop .* resume, suspend, start, set priority, join",
            "gate ask .* call, receive; also control",
            "timer period .* start, stop",
            "interrupt edge .* pend; also control",
            "right to process control .* fault read",
        ):
            self.assertRegex(watch, row)

    def test_a_process_shows_nothing_else(self) -> None:
        self.assertNotRegex(process(self.shown, "control"), "timer|right to|guard .* priority")
        self.assertNotRegex(process(self.shown, "watch"), "mutex|semaphore|notify")

    def test_the_kernel_shows_its_interrupts_and_timers(self) -> None:
        kernel = self.shown.split("the kernel: ")[1]
        self.assertRegex(kernel, "interrupt edge .* line 3: is delivered to thread loop")
        self.assertRegex(kernel, "timer period .* when due: gives semaphore beat")

    def test_every_right_of_the_tables_is_shown(self) -> None:
        for file in DECLARATIONS:
            system, _ = source.read(file)
            shown = isolation.read(file)
            for index, one in enumerate(shown.processes):
                found = [each for each in one.rights if not (each.kind == "pool" and each.local)]
                self.assertEqual(len(found), len(rights.table(system, index)) - 1, file)
                self.assertTrue(all(each.methods for each in one.rights), file)


class Picture(unittest.TestCase):
    def pictures(self) -> Iterator[tuple[Isolation, ElementTree.Element]]:
        for shown in (declared(WORKSHOP), *map(isolation.read, DECLARATIONS)):
            yield shown, ElementTree.fromstring(svg.svg(shown))

    def test_a_link_joins_the_rows_of_one_thing(self) -> None:
        """Counts the ends of each link and their arrows. A link of a row that both acts and waits
        has two arrows."""
        links = {}
        for each in ElementTree.fromstring(svg.svg(declared(WORKSHOP))).iter():
            if each.tag.endswith("}g"):
                heads = [path for path in each.findall("{*}path") if path.get("class") == "head"]
                ends = len(each.findall("{*}circle"))
                links[each.findtext("{*}title")] = (ends, len(heads))
        expected = {"region shared": (2, 4), "semaphore beat": (2, 3), "gate ask": (2, 2)}
        expected |= {"timer period": (2, 2), "interrupt edge": (3, 3)}
        expected |= {"thread loop": (2, 2), "process control": (2, 2)}
        self.assertEqual(links, expected)

    def test_no_two_links_lie_on_each_other(self) -> None:
        for _, picture in self.pictures():
            paths = [each.get("d", "") for each in picture.iter() if each.get("class") == "link"]
            spans = [tuple(map(int, re.findall(r"\d+", path.split(" H")[0])[:3])) for path in paths]
            for one, other in itertools.combinations(spans, 2):
                apart = one[0] != other[0] or one[2] < other[1] or other[2] < one[1]
                self.assertTrue(apart, (one, other))

    def test_text_is_in_the_picture_and_in_its_card(self) -> None:
        for _, picture in self.pictures():
            width, height = (int(picture.get(key, "")) for key in ("width", "height"))
            (card, *_) = (each for each in picture.iter() if each.tag.endswith("}rect"))
            end = int(card.get("x", "")) + int(card.get("width", ""))
            self.assertLess(end, width)
            for each in picture.iter("{http://www.w3.org/2000/svg}text"):
                wide = 8.0 if each.get("class") == "title" else 6.7
                self.assertLessEqual(int(each.get("x", "")) + len(each.text or "") * wide, end)
                self.assertLess(int(each.get("y", "")), height)

    def test_a_usual_system_is_as_wide_as_a_phone(self) -> None:
        for file in BULKHEAD.glob("examples/*/system.toml"):
            picture = ElementTree.fromstring(svg.svg(isolation.read(file)))
            self.assertEqual(picture.get("width"), "390", file)

    def test_a_reader_without_eyes_gets_the_text(self) -> None:
        for shown, picture in self.pictures():
            self.assertEqual(picture.get("role"), "img")
            self.assertEqual(picture.findtext("{*}title"), cards.title(shown))
            self.assertEqual(picture.findtext("{*}desc"), text.text(shown))

    def test_it_has_no_script_and_asks_for_nothing(self) -> None:
        whole = svg.svg(declared(WORKSHOP))
        self.assertNotRegex(whole, "<script|href|url\\(|@import|on[a-z]+=")

    def test_colours_can_be_read_in_light_and_in_dark(self) -> None:
        schemes = svg._STYLE.split("@media")
        for scheme in schemes:
            colours = dict(re.findall(r"(--\w+|background|color): (#\w+)", scheme))
            for role in ("color", "--soft", "--memory", "--call", "--control"):
                for ground in ("background", "--card"):
                    ratio = contrast(colours[role], colours[ground])
                    self.assertGreaterEqual(ratio, 4.5, (role, ground))
        self.assertEqual(len(schemes), 2)


def contrast(one: str, other: str) -> float:
    """Returns the contrast ratio of two colours (Web Content Accessibility Guidelines 2.2)."""
    high, low = sorted(map(luminance, (one, other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * each for each in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


class Command(unittest.TestCase):
    def said(self, *words: str, seed: str = "0") -> subprocess.CompletedProcess[str]:
        tools = str(Path(bulkhead_draw.__file__).parents[1])
        environment = {**os.environ, "PYTHONPATH": tools, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-B", "-m", "bulkhead_draw", *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    def test_two_runs_draw_the_same(self) -> None:
        words = (str(BULKHEAD / "test/target/system.toml"), "--format", "svg")
        self.assertEqual(self.said(*words).stdout, self.said(*words, seed="9").stdout)

    def test_what_is_no_declaration_is_refused_in_one_line(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "system.toml"
            for content in (b"\x80\xff", b"a=" + b"[" * 5000, b"[image", b""):
                file.write_bytes(content)
                answer = self.said(str(file))
                self.assertEqual((answer.returncode, answer.stdout), (1, ""))
                self.assertRegex(answer.stderr, r"^error: [^\n]+\n$")
