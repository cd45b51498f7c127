# SPDX-License-Identifier: MIT
"""Tests the program that runs `ticklab test`: which items run, how a failure changes that, which
results are looked up, and that an interruption leaves no process."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from documents import fits
from waiting import until

from ticklab import digest, options, paths
from ticklab.commands import test
from ticklab.errors import UsageError
from ticklab.quality import catalogue, passed_items, python_tests
from ticklab.quality.item import CheckError, Item, ItemOptions
from ticklab.quality.passed_items import PassedItems
from ticklab.quality.runner import ItemResult, Runner


def passing(_folder: Path) -> str:
    print("output")
    return "message"


def failing(_folder: Path) -> str:
    print("line\n" * 50)
    raise CheckError("why")


def faulty(_folder: Path) -> str:
    raise ValueError("no check")


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("TICKLAB_HOME", str(tmp_path))
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, items: Sequence[Item], *words: str) -> int:
    monkeypatch.setattr(catalogue, "every", lambda choice: list(items))
    parser = argparse.ArgumentParser()
    test.configure(parser)
    return test.run(parser.parse_args(words))


def test_a_run_beside_another_has_logs_of_its_own(tmp_path: Path) -> None:
    logs = tmp_path / "logs"

    def beside(folder: Path) -> str:
        list(Runner(folder / "other", logs, 1).run([Item("a", passing, [])]))
        raise CheckError("why")

    ((_, result),) = Runner(tmp_path / "work", logs, 1).run([Item("a", beside, [])])
    assert "why" in result.output
    assert (logs / "a.log").read_text() == result.output + "\n"


def test_a_failure_stops_no_other_item(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], home: Path
) -> None:
    items = [Item("a/bad", failing, []), Item("b/faulty", faulty, []), Item("c/good", passing, [])]
    report = home / "report.json"
    assert run(monkeypatch, items, "--json", str(report), "--jobs", "1") == 1
    said = capfd.readouterr().out
    assert said.splitlines()[-1] == "1 passed, 2 failed"
    assert "error: why" in said
    assert (home / "test" / "a" / "bad.log").read_text().count("line") == 50
    assert "ValueError: no check" in (home / "test" / "b" / "faulty.log").read_text()
    assert not (home / "test" / "c" / "good.log").exists()
    items_found = fits("test", json.loads(report.read_text()))["items"]
    found = {each["name"]: each["passed"] for each in items_found}
    assert found == {"a/bad": False, "b/faulty": False, "c/good": True}


def test_a_name_selects_the_items_that_begin_with_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], home: Path
) -> None:
    items = [Item(name, passing, []) for name in ("a/one", "a/two", "b/one")]
    assert run(monkeypatch, items, "--list", "a/", "b/one") == 0
    assert capfd.readouterr().out.split() == ["a/one", "a/two", "b/one"]
    assert run(monkeypatch, items, "a/t") == 0
    assert capfd.readouterr().out.splitlines()[-1] == "1 passed, 0 failed"
    with pytest.raises(UsageError) as error:
        run(monkeypatch, items, "c")
    assert "'c'" in str(error.value)


def test_a_passed_item_runs_again_only_if_an_input_changes(tmp_path: Path) -> None:
    item = Item("one", passing, ["a"])

    def known(**files: str) -> PassedItems:
        return PassedItems(tmp_path, {name.replace("_", "/"): text for name, text in files.items()})

    before = known(a_b="1", c="1")
    assert before.find(item) is None
    before.keep(item, ItemResult("one", True, False, 1, 1, "output"))
    assert known(a_b="1", c="2").find(item) is not None
    assert known(a_b="2", c="1").find(item) is None
    assert known(a_b="1", a_c="1", c="1").find(item) is None
    assert known(a_b="1", c="1").find(replace(item, options="seed 2")) is None
    assert known(a_b="1", c="1").find(replace(item, tools=[sys.executable])) is None


def test_the_record_of_long_tests_is_no_input() -> None:
    """A release writes it between the groups of tests; they would all run again."""
    found = passed_items.hashes()
    assert (paths.CHECKOUT / passed_items.RECORD).is_file()
    assert passed_items.RECORD not in found
    assert "lab/release.py" in found


def test_only_green_results_are_kept(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], home: Path
) -> None:
    known = PassedItems(home / "passed", {})
    monkeypatch.setattr(passed_items, "opened", lambda: known)
    items = [Item("bad", failing, []), Item("good", passing, [])]
    for words, again in (((), False), ((), True), (("--no-cache",), False)):
        assert run(monkeypatch, items, *words) == 1
        said = capfd.readouterr().out
        assert ("1 passed before" in said) == again
        assert said.splitlines()[-1] == "1 passed, 1 failed"


def test_inputs_that_change_while_an_item_runs_are_named_and_nothing_is_kept(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], home: Path
) -> None:
    files = [home / name for name in ("input", "other", "touched")]
    for file in files:
        file.write_text("before")
    monkeypatch.setattr(paths, "CHECKOUT", home)
    hashed = {file.name: digest.hash_file(file) for file in files}
    known = PassedItems(home / "passed", hashed)
    monkeypatch.setattr(passed_items, "opened", lambda: known)

    def change(folder: Path) -> str:
        files[0].write_text("after, and longer")
        files[1].unlink()
        os.utime(files[2], (1, 1))
        return passing(folder)

    bad = Item("bad", failing, ["input", "touched"], after=["good"])
    items = [Item("good", change, ["input"]), bad, Item("apart", failing, ["touched"])]
    assert run(monkeypatch, items, "--jobs", "1") == 1
    said = capfd.readouterr().out
    assert said.count("changed while it ran: input; run it again") == 1
    assert known.find(items[0]) is None, "it passed with other files than the kept key says"


def test_shards_divide_the_whole() -> None:
    items = catalogue.every(ItemOptions())
    parts = [catalogue.shard(items, number, 3) for number in (1, 2, 3)]
    assert sorted(item.name for part in parts for item in part) == sorted(i.name for i in items)
    loads = [sum(item.seconds for item in part) for part in parts]
    assert max(loads) < 1.2 * min(loads)


def test_a_shard_has_what_its_items_use() -> None:
    items = catalogue.every(ItemOptions())
    every = {item.name for item in items}
    for number in (1, 2, 3, 4):
        part = catalogue.shard(items, number, 4)
        names = {item.name for item in part}
        assert all(set(item.after[-1:]) & every <= names for item in part)


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b"])
def test_a_shard_that_is_no_part_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as error:
        options.shard(text)
    assert text in str(error.value)


def test_an_item_starts_after_the_items_that_it_needs(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], home: Path
) -> None:
    mark = home / "mark"

    def late(_folder: Path) -> str:
        assert mark.exists()
        return ""

    def early(_folder: Path) -> str:
        time.sleep(0.2)
        mark.touch()
        return ""

    items = [Item("late", late, [], after=["early"]), Item("early", early, [])]
    assert run(monkeypatch, items, "--jobs", "2") == 0


INHERITING = """
import os, sys
from pathlib import Path
from ticklab.quality.item import Item
from ticklab.quality.runner import Runner

def using(_):
    return str("costly" in sys.modules)

items = [Item(name, using, [], modules=("costly", "numpy")) for name in "ab"]
for _, each in Runner(Path("work"), Path("logs"), 1).run(items):
    print(each.output)
print(len(os.listdir("/proc/self/task")), "OPENBLAS_NUM_THREADS" in os.environ)
"""


def test_items_inherit_a_module_that_was_imported_once(tmp_path: Path) -> None:
    """The runner forks, so an import must not leave a second thread in it."""
    (tmp_path / "costly.py").write_text("print('imported', flush=True)\n")
    (tmp_path / "inheriting.py").write_text(INHERITING)
    command = [sys.executable, str(tmp_path / "inheriting.py")]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert answer.stdout.split("\n") == ["imported", "True", "True", "1 False", ""]


def test_names_are_unique_and_inputs_exist() -> None:
    for long in (False, True):
        names = [item.name for item in catalogue.every(ItemOptions(long=long))]
        assert len(names) == len(set(names))
    for item in catalogue.every(ItemOptions()):
        assert all((paths.CHECKOUT / each).exists() for each in item.inputs), item.name


def test_slow_files_exist() -> None:
    names = {file.stem for file in (paths.CHECKOUT / "lab" / "tests").glob("test_*.py")}
    assert names >= python_tests.SLOW.keys() | python_tests.LONG.keys()


def test_only_files_with_long_tests_are_other_items_with_long() -> None:
    tests = (paths.CHECKOUT / "lab" / "tests").glob("test_*.py")
    assert python_tests.LONG.keys() <= {
        file.stem for file in tests if "mark.long" in file.read_text()
    }
    long = {item.name: item for item in python_tests.items(ItemOptions(long=True))}
    short = {item.name: item for item in python_tests.items(ItemOptions())}
    for name, has_long in (("python/test_ports", True), ("python/test_build", False)):
        assert (long[name].seconds > short[name].seconds) == has_long
        assert (long[name].options != short[name].options) == has_long


def test_eight_parts_of_the_long_tests_take_about_the_same_time() -> None:
    items, parts = catalogue.every(ItemOptions(long=True)), 8
    loads = [
        sum(item.seconds for item in catalogue.shard(items, part, parts))
        for part in range(1, parts + 1)
    ]
    assert max(loads) < 1.1 * min(loads)
    assert max(item.seconds for item in items) < min(loads), "one item is longer than a part"


_INTERRUPTED = """
import subprocess, sys, tempfile
from pathlib import Path
from ticklab.quality.item import Item
from ticklab.quality.runner import Runner
def sleeps(folder):
    subprocess.run([sys.executable, "-c", "import os, time; os.setsid(); print(os.getpid());"
                    "open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(600)"
                    .replace("os, time", "os, sys, time"), sys.argv[1]])
    return ""
with tempfile.TemporaryDirectory() as work:
    list(Runner(Path(work), Path(work), 1).run([Item("sleeps", sleeps, [])]))
"""


def test_an_interruption_ends_every_program(tmp_path: Path) -> None:
    """Programs with a session of their own are ended, too."""
    file = tmp_path / "pid"
    environment = {**os.environ, "PYTHONPATH": str(paths.CHECKOUT / "lab" / "src")}
    runner = subprocess.Popen(
        [sys.executable, "-c", _INTERRUPTED, file], env=environment, stderr=subprocess.DEVNULL
    )
    until(lambda: file.exists() and bool(file.read_text()))
    runner.send_signal(signal.SIGINT)
    runner.wait()
    assert not Path("/proc", file.read_text()).exists()


def test_a_long_run_names_its_most_expensive_items() -> None:
    results = [
        ItemResult(f"item/{number}", True, False, 1.0, float(number), "") for number in range(30)
    ]
    head, *lines = test.most_expensive(results)
    assert "7.2 min" in head
    assert [line.split()[-1] for line in lines[:2]] == ["item/29", "item/28"]
    assert len(lines) < len(results)
    assert test.most_expensive(results[:5]) == []
