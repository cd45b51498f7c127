# SPDX-License-Identifier: MIT
"""Tests suite worst-case with the real compiler and QEMU: the interrupt is pended at every
instruction, at the instruction that the record states, and a fault that shows at only one
instruction is found and named."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_ports import FIXTURES, of_status, run

from ticklab import building, cli, paths
from ticklab.analysis import injection
from ticklab.analysis.samples import passes
from ticklab.building import elf
from ticklab.description import catalogue
from ticklab.description.model import Board, Case, Image, Kernel, Variant
from ticklab.targets import eventlog
from ticklab.targets.protocol import AddedMark, Cancel, Observation, until_instructions
from ticklab.targets.qemu import Qemu

BOARDS = ("mps2-an385", "mps2-an386", "mps2-an500", "mps2-an505")
LOST = "lost-at-one-instruction"


def built(kernel: Kernel, board: Board, scenario: str, suite: str = "worst-case") -> Path:
    scenarios = catalogue.find_suite(suite).scenarios
    wanted = next(each for each in scenarios if each.name == scenario)
    case = Case(Variant(kernel, kernel.configs["default"], board, "O2", board.clock_hz), wanted)
    (image,) = building.build([case], building.find_toolchain())
    assert isinstance(image, Image), image
    return image.path


def observed(image: Path, board: Board, marks: tuple[AddedMark, ...] = ()) -> Observation:
    plan = replace(
        until_instructions(board, 50_000_000), stall_instructions=20_000_000, marks=marks
    )
    return Qemu(paths.plugin()).observe(image, plan, Cancel())


def instructions_of(image: Path, function: str) -> list[int]:
    """Returns the addresses of a function's instructions, by the disassembler."""
    command = ["arm-none-eabi-objdump", "-d", f"--disassemble={function}", str(image)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = [line.split("\t") for line in text.splitlines()]
    return [
        int(line[0].strip().rstrip(":"), 16)
        for line in lines
        if len(line) > 2 and not line[2].startswith(".word")
    ]


@pytest.mark.parametrize(
    "board_name",
    [
        pytest.param(name, marks=[] if name in ("mps2-an386", "mps2-an505") else pytest.mark.long)
        for name in BOARDS
    ],
)
def test_the_interrupt_is_pended_at_the_very_instruction(board_name: str) -> None:
    """Each instruction of a function has a mark of its own, and the interrupt is pended at each in
    turn. The address at which the processor was interrupted (the stacked PC) must be the
    instruction that the observer saw last."""
    board = catalogue.find_board(board_name)
    image = built(catalogue.find_kernel("freertos"), board, "semaphore-give")
    addresses = instructions_of(image, "xQueueGenericSend")
    places = tuple(AddedMark(f"at.{address:x}", address) for address in addresses)
    first = observed(image, board, places)
    assert first.log
    pended = injection.addresses(first.ending.console)
    positions = calm_positions(first.log)
    seen = [pended[position - 1] for position in positions]
    assert seen == list(positions.values())
    assert len(seen) > 20


def calm_positions(log: eventlog.EventLog) -> dict[int, int]:
    """Returns for each position of the sweep the address of its instruction, from the last call
    after `begin`, which returned before the interrupt came."""
    begin = int(passes(log, ("begin",))[-1])
    position = 0
    found: dict[int, int] = {}
    for row in log.records[begin + 1 :]:
        position += int(row["tally"][log.lane("instructions")])
        name = log.marks[int(row["id"])]
        if name.startswith("at."):
            found.setdefault(position, int(name.removeprefix("at."), 16))
    return found


def test_two_sweeps_are_alike_bit_for_bit() -> None:
    board = catalogue.find_board("mps2-an386")
    image = built(catalogue.find_kernel("freertos"), board, "semaphore-take")
    one, other = observed(image, board), observed(image, board)
    assert one.ending.console == other.ending.console
    assert one.log
    assert other.log
    assert (one.log.records == other.log.records).all()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("worst-case")


@pytest.fixture(scope="module")
def records(folder: Path) -> list[dict[str, Any]]:
    """Tests only the conformance of the faulty kernel; the other kernels are measured without
    it."""
    words = ("--suite", "worst-case", "--scenario", "semaphore-give")
    honest = ("application", "queue-send", "task-exit", "--kernel", "freertos", "rt")
    faulty = ("semaphore-take", "--param", "crowd=0", "--kernel", str(FIXTURES / LOST))
    return [*run(folder, *words, *faulty), *run(folder, *words, *honest, "--skip-conformance")]


def curve(records: list[dict[str, Any]], kernel: str, scenario: str, span: str) -> dict[str, Any]:
    (found,) = (
        each["curve"]
        for each in records
        if (each["kernel"], each["scenario"], each["span"]) == (kernel, scenario, span)
    )
    assert isinstance(found, dict)
    return found


def test_application_code_never_makes_an_interrupt_wait(records: list[dict[str, Any]]) -> None:
    """The one instruction of this latency belongs to the injection: it is the return from the
    exception that pends the interrupt."""
    for kernel in ("freertos", "rt"):
        found = curve(records, kernel, "application", "pend-to-interrupt")
        assert set(found["instructions"]) == {1}


def test_a_kernel_that_masks_makes_it_wait_until_it_unmasks(records: list[dict[str, Any]]) -> None:
    found = curve(records, "freertos", "semaphore-give", "pend-to-interrupt")
    assert found["pended_before"].startswith("vPortEnterCritical")
    assert found["held_until"].startswith("vPortExitCritical")
    worst, begin = max(found["instructions"]), found["position"] - 1
    ramp = found["instructions"][begin : begin + worst]
    assert ramp == list(range(worst, 0, -1))
    assert sum(found["functions"].values()) == worst - 1


def test_the_worst_case_names_its_cause_by_call_and_line(records: list[dict[str, Any]]) -> None:
    """The tree of calls contains exactly the instructions that were executed while the interrupt
    waited."""
    found = curve(records, "freertos", "queue-send", "pend-to-interrupt")
    assert sum(call["own"] for call in found["calls"]) == max(found["instructions"])
    names = [call["name"] for call in found["calls"]]
    copy = names.index("prvCopyDataToQueue")
    depths = [call["depth"] for call in found["calls"]]
    assert (names[copy + 1], depths[copy + 1]) == ("memcpy", depths[copy] + 1)
    assert "bench_queue_send" in names
    assert found["pended_at"].startswith("portmacro.h:")
    assert found["held_at"].startswith("portmacro.h:")


def test_a_sweep_is_explained_by_its_worst_sample(
    records: list[dict[str, Any]], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The run had no `--record`: the store of a sweep always keeps the data from which its cause is
    computed."""
    chosen = ("--scenario", "queue-send", "--span", "pend-to-interrupt")
    file = folder / "explained.json"
    places = ("--store", str(folder / "store"), "--json", str(file))
    assert cli.main(["explain", "freertos", *chosen, *places]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "pended before vPortEnterCritical+0x8 (portmacro.h:" in text
    assert "sweeper → xQueueGenericSend 12 (prvCopyDataToQueue 23 (memcpy 24)" in text
    found = curve(records, "freertos", "queue-send", "pend-to-interrupt")
    sample = json.loads(file.read_text())["sample"]
    assert sample["number"] == found["position"]
    assert sample["instructions"] == found["instructions"][found["position"] - 1]
    assert f"sample {found['position']} of" in text
    assert sample["calls"] == found["calls"]


def test_a_kernel_that_masks_nothing_shows_it(records: list[dict[str, Any]]) -> None:
    found = curve(records, "rt", "queue-send", "pend-to-interrupt")
    assert set(found["instructions"]) == {1}


@pytest.mark.parametrize(
    "configs",
    [("default", "kernel-calls"), pytest.param(("process-each",), marks=pytest.mark.long)],
    ids="-".join,
)
def test_a_kernel_that_works_in_its_exceptions_holds_an_interrupt_in_them(
    configs: tuple[str, ...], tmp_path: Path
) -> None:
    """Bulkhead masks nothing. An interrupt that comes during a call is served after it: it waits
    from the first instruction of the call's exception, in every configuration."""
    scenario = ("--scenario", "semaphore-give", "yield", "--param", "crowd=0")
    words = ("--suite", "worst-case", "--kernel", "bulkhead", *scenario, "--config", *configs)
    found = run(tmp_path, *words, "--skip-conformance")
    records = [each for each in found if each["span"] == "pend-to-interrupt"]
    assert {each["status"] for each in records} == {"pass"}
    for record in records:
        waits = max(record["curve"]["instructions"]) - min(record["curve"]["instructions"])
        local = (record["config"], record["scenario"]) == ("default", "semaphore-give")
        assert waits < 5 if local else record["curve"]["pended_before"] == "SVC_Handler"
    assert len(records) == len(configs) * 2


def test_time_that_the_processor_sleeps_makes_no_tick_doubtful(folder: Path) -> None:
    """rt waits in WFI when idle. A wrong analysis saw 480 of its ticks a second in place of 100."""
    words = ("--suite", "worst-case", "--kernel", "rt", "--scenario", "semaphore-give-wakes")
    found = run(folder, *words, "--param", "crowd=0", "waiters=10", "--skip-conformance")
    assert found
    assert all(set(each["doubts"]) == {"conformance"} for each in found)


@pytest.mark.parametrize("waiters", ["10", pytest.param("50", marks=pytest.mark.long)])
def test_a_fast_tick_changes_no_position(tmp_path: Path, waiters: str) -> None:
    """At 1,000 ticks a second, the calls that wake 50 tasks in turn take longer than one tick
    period. No tick is due where the interrupt is pended, so both sweeps are equal."""
    sweep = ("--suite", "worst-case", "--scenario", "semaphore-give-wakes", "--skip-conformance")
    words = ("--param", f"waiters={waiters}", "crowd=0", "--config", "default", "tick-1khz")
    found = run(tmp_path, "--kernel", "freertos", *sweep, *words)
    assert [each["reason"] for each in found] == [None] * 4
    default, fast = found[:2], found[2:]
    assert [each["curve"] for each in default] == [each["curve"] for each in fast]


def test_asserts_leave_room_for_the_calls_of_a_tick(tmp_path: Path) -> None:
    """A lock that inherits a priority, with the unlock that takes it back, is the longest call of
    FreeRTOS with asserts."""
    sweeps = ("--suite", "worst-case", "--scenario", "mutex-lock-blocks", "mutex-unlock-wakes")
    choice = ("--kernel", "freertos", "--config", "asserts", "--param", "crowd=0")
    found = run(tmp_path, *choice, *sweeps, "--skip-conformance")
    assert [each["reason"] for each in found] == [None] * 4


def test_the_end_of_a_task_is_swept_although_idle_frees_it(records: list[dict[str, Any]]) -> None:
    found = curve(records, "freertos", "task-exit", "pend-to-interrupt")
    assert "vTaskDelete" in [call["name"] for call in found["calls"]]
    assert "rt has no task-create" in of_status(records, "unsupported")["rt"]["task-exit"]


def test_a_restart_lets_interrupts_in_between_its_tasks(tmp_path: Path) -> None:
    """Each further task of the process adds some 500 instructions to the restart, and to the
    longest latency only the search in a list with one more member."""
    choice = ("--scenario", "restart", "--param", "tasks=2,3", "--config", "process-each")
    words = ("--suite", "worst-case", "--kernel", "bulkhead", *choice, "--skip-conformance")
    records = [each for each in run(tmp_path, *words) if each["span"] == "pend-to-task"]
    of_two, of_three = (each["curve"]["instructions"] for each in records)
    assert len(of_three) > len(of_two) + 400
    assert max(of_three) < max(of_two) + 20


def test_only_a_scenario_that_injects_may_reach_the_device() -> None:
    board, kernel = catalogue.find_board("mps2-an386"), catalogue.find_kernel("bulkhead")
    origin, _ = board.memory["watchdog"]
    found = {}
    for suite, scenario in (("worst-case", "application"), ("thread-metric", "synchronization")):
        image = built(kernel, board, scenario, suite)
        tables = (image.parents[1] / "generated" / "kernel_tables.c").read_text()
        found[suite] = f"{{0x{origin >> 8:x}" in tables  # the lowest bits number the MPU's region
    assert found == {"worst-case": True, "thread-metric": False}


def test_a_fault_at_one_instruction_is_found_and_named(records: list[dict[str, Any]]) -> None:
    """Only the give uses the faulty lock, and only the instruction that opens the lock is wrong.
    Conformance does not find the fault, so the kernel was not blocked."""
    reasons = of_status(records, "fail")
    assert set(reasons) == {LOST}
    assert set(reasons[LOST]) == {"semaphore-give"}
    assert "interrupt lost" in reasons[LOST]["semaphore-give"]
    assert "pended before opened_too_late (0x" in reasons[LOST]["semaphore-give"]


def test_ordinary_tests_do_not_see_that_fault(folder: Path) -> None:
    """Uses the store of the sweeps, in which the conformance of this kernel is found."""
    scenarios = ("synchronization", "interrupt-processing")
    found = run(folder, "--kernel", str(FIXTURES / LOST), "--scenario", *scenarios)
    assert {record["status"] for record in found} == {"pass"}


def test_places_are_those_of_real_handlers() -> None:
    board, kernel = catalogue.find_board("mps2-an386"), catalogue.find_kernel("rt")
    guest = elf.read(built(kernel, board, "application"))
    sweep = catalogue.find_suite("worst-case").scenarios[0].sweep
    assert sweep
    names = {guest.symbol_at(place.address) for place in injection.places(sweep, guest, kernel)}
    assert "Interrupt0_Handler" in names
