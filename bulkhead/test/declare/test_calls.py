# SPDX-License-Identifier: MIT
"""Tests of the table of system calls: the generated files are current, and mistakes are errors."""

from __future__ import annotations

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import calls
import calls_table

MISTAKES = (  # file, text, its replacement, a text that the error must contain
    ("semaphore", 'name = "give"', 'name = "donate"', "semaphore has a method give; use one of"),
    ("mutex", 'errors = ["REFUSED"]', 'errors = ["LOST"]', "LOST"),
    ("gate", 'entry = "words"', 'entry = "word"', "word; use"),
    ("timer", 'cost = "timers"', 'costs = "timers"', "costs"),
)


class Current(unittest.TestCase):
    def test_every_file_is_what_the_table_makes(self) -> None:
        self.assertEqual(calls.outdated(calls.files(calls_table.read())), [])


class Mistakes(unittest.TestCase):
    def test_each_is_refused_by_its_name(self) -> None:
        for name, right, wrong, named in MISTAKES:
            with self.subTest(wrong), tempfile.TemporaryDirectory() as folder:
                table = Path(shutil.copytree(calls_table.TABLE, Path(folder) / "calls"))
                file = table / f"{name}.toml"
                file.write_text(file.read_text().replace(right, wrong, 1))
                with self.assertRaisesRegex(calls_table.TableError, named):
                    calls.files(calls_table.read(table))


if __name__ == "__main__":
    unittest.main()
