# SPDX-License-Identifier: MIT
"""Tests `profile`, which shows where the instructions of an image go, with the real compiler and
QEMU."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from pathlib import Path

import guests
import pytest
from console import ticklab
from documents import fits
from test_images import HOSTILE

from ticklab.description import kernel_table
from ticklab.errors import UsageError
from ticklab.explain import only_run

# A guest that masks interrupts for 3 instructions in `work`, and executes SVC in each round.
SERVED = (
    "function reset\n  nop\nagain:\n  bl work\n  svc 0\n  b again\n"
    "function work\n  cpsid i\n  nop\n  nop\n  cpsie i\n  bx lr\n"
    "function handler\n  push {r4, lr}\n  nop\n  pop {r4, pc}\n"
)


def test_a_profile_counts_handlers_functions_and_masked_stretches(tmp_path: Path) -> None:
    image = guests.build(tmp_path, SERVED)
    words = ("profile", image, "--instructions", "5000", "--no-model", "--json", "-")
    status, out, err = ticklab(*words)
    assert status == 0, err
    found = fits("profile", json.loads(out))
    functions = {each["name"]: each for each in found["functions"]}
    (handler,) = found["exceptions"]
    rounds = handler["entries"]
    assert 450 < rounds < 460, "11 instructions a round"
    assert 3 * (rounds - 1) <= handler["cost"]["instructions"] <= 3 * rounds
    assert handler["stack_bytes"] == 8
    assert 5 * rounds <= functions["work"]["cost"]["instructions"] <= 5 * (rounds + 1)
    assert rounds <= functions["work"]["entries"] <= rounds + 1
    (stretch,) = found["masked"]
    assert (stretch["function"], stretch["longest"]) == ("work", 3)
    total = found["total"]["instructions"]
    assert 5000 <= total < 5010, "from reset to the end"
    assert sum(each["cost"]["instructions"] for each in functions.values()) == total
    assert found["kernel"] is None
    assert found["interrupts"] == [], "an instruction causes each exception"


# A guest that pends interrupts 0 and 1 in turn, interrupt 1 twice, and divides by 0. All three
# exceptions have one handler, which continues after the instruction that the frame names if that
# is a division. With MOVED, the table of vectors is copied to RAM first.
SHARING = (
    "  .pushsection .vectors\n  .word handler + 1, handler + 1\n  .popsection\n"
    "function reset\n{moved}"
    "  ldr r0, =0xe000ed14\n  movs r1, #0x10\n  str r1, [r0]\n"
    "  ldr r0, =0xe000ed24\n  movs r1, #1\n  lsls r1, #18\n  str r1, [r0]\n"
    "  ldr r0, =0xe000e100\n  movs r1, #3\n  str r1, [r0]\n"
    "  ldr r0, =0xe000e200\n  movs r1, #1\n  movs r2, #2\n  movs r4, #0\n  movs r7, #100\n"
    "again:\n  str r1, [r0]\n  str r2, [r0]\n  str r2, [r0]\n  nop\n  udiv r5, r7, r4\n"
    "  subs r7, #1\n  bne again\nfunction idle\n  b idle\n"
    "function handler\n  mrs r3, ipsr\n  cmp r3, #16\n  bhs 1f\n"
    "  ldr r3, [sp, #24]\n  adds r3, #4\n  str r3, [sp, #24]\n1:\n  bx lr\n.ltorg\n"
)
MOVED = (
    "  ldr r0, =0x20000000\n  movs r1, #0\n1:\n  ldr r2, [r1]\n  str r2, [r0, r1]\n"
    "  adds r1, #4\n  cmp r1, #72\n  bne 1b\n  ldr r1, =0xe000ed08\n  str r0, [r1]\n"
)


@pytest.mark.parametrize("moved", ["", MOVED])
def test_exceptions_with_one_handler_are_told_apart(moved: str, tmp_path: Path) -> None:
    image = guests.build(tmp_path, SHARING.format(moved=moved))
    words = ("profile", image, "--instructions", "5000", "--no-model", "--json", "-")
    status, out, err = ticklab(*words)
    assert (status, "took a UsageFault and 99 more" in err) == (1, True), "it took faults"
    found = fits("profile", json.loads(out))
    assert {each["name"]: each["entries"] for each in found["exceptions"]} == {
        "handler (interrupt 0)": 100,
        "handler (interrupt 1)": 200,
        "handler (UsageFault)": 100,
    }
    interrupts = {each["name"]: each["taken"] for each in found["interrupts"]}
    assert interrupts == {"handler (interrupt 0)": 100, "handler (interrupt 1)": 200}


def test_a_run_without_an_exception_has_a_profile(tmp_path: Path) -> None:
    image = guests.build(tmp_path, guests.UNMARKED)
    words = ("profile", image, "--instructions", "5000", "--no-model", "--json", "-")
    status, out, err = ticklab(*words)
    assert status == 0, err
    found = json.loads(out)
    assert 5000 <= found["total"]["instructions"] < 5010
    assert found["exceptions"] == []


# A guest whose third function jumps back to where the first call of `reset` returned, as `longjmp`
# does.
JUMPING = (
    "function reset\n  mov r5, sp\nagain:\n  bl save\nsaved:\n  nop\n  bl dive\n  b again\n"
    "function save\n  bx lr\n"
    "function dive\n  push {r4, lr}\n  bl deep\n  pop {r4, pc}\n"
    "function deep\n  push {r4, lr}\n  mov sp, r5\n  ldr r0, =saved + 1\n  bx r0\n"
    "function handler\n  b handler\n.ltorg\n"
)


def test_calls_that_a_long_jump_left_are_on_no_stack(tmp_path: Path) -> None:
    image = guests.build(tmp_path, JUMPING)
    words = ("profile", image, "--instructions", "5000", "--no-model", "--json", "-")
    status, out, err = ticklab(*words)
    assert status == 0, err
    document = json.loads(out)
    (task,) = document["tasks"]
    assert (task["name"], task["stack_bytes"]) == ("reset", 16)
    functions = {each["name"]: each for each in document["functions"]}
    assert functions["dive"]["entries"] > 400
    assert functions["reset"]["entries"] <= 1


# Two tasks, each of which pends interrupt 0. Its handler has 4 instructions and pends PendSV, which
# has 10 and switches to the other task.
SWITCHING = """\
  .pushsection .vectors
  .word serve + 1
  .popsection
function reset
  ldr r0, =0xe000e100
  movs r1, #1
  str r1, [r0]
  ldr r0, =0x20001000
  ldr r2, =0x20000100
  ldr r1, =0x20002000 - 64
  str r1, [r2]
  ldr r3, =second + 1
  str r3, [r1, #56]
  ldr r3, =0x01000000
  str r3, [r1, #60]
  msr psp, r0
  movs r0, #2
  msr control, r0
  isb
  b first
function first
  ldr r0, =0xe000e200
  movs r1, #1
1:nop
  {mask}
  str r1, [r0]
  {unmask}
  b 1b
function second
  b first
function serve
  ldr r0, =0xe000ed04
  ldr r1, =0x10000000
  str r1, [r0]
  bx lr
function handler
  mrs r0, psp
  stmdb r0!, {{r4-r11}}
  ldr r2, =0x20000100
  ldr r1, [r2]
  str r0, [r2]
  mov r0, r1
  ldmia r0!, {{r4-r11}}
  msr psp, r0
  nop
  bx lr
.ltorg
"""


# A guest in which interrupt 0 has a handler that no other exception has.
OWN = SWITCHING.replace("function handler", "function handler\n  b handler\nfunction pended")
# A guest in which the code determines the value of each store.
CONSTANT = OWN.replace("  {mask}\n", "  {mask}\n  movs r1, #1\n")
# A guest that pends PendSV by a store of an unknown value, in the same number of instructions.
UNKNOWN = CONSTANT.replace(
    "ldr r0, =0xe000ed04\n  ldr r1, =0x10000000", "ldr r0, [r2]\n  ldr r1, [r3]"
)
UNKNOWN = UNKNOWN.replace("1:nop", "ldr r2, =cells\n  add r3, r2, #4\n1:nop")
UNKNOWN += "cells:\n  .word 0xe000ed04, 0x10000000\n"
# A guest that copies the vector table into RAM and uses it there.
MOVED = OWN.replace(
    "function reset",
    "function reset\n  movs r2, #0\n  ldr r1, =0x20000400\n"
    "2:ldr r3, [r2]\n  str r3, [r1, r2]\n  adds r2, #4\n  cmp r2, #68\n  bne 2b\n"
    "  ldr r0, =0xe000ed08\n  str r1, [r0]",
)


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize(
    ("source", "traced"),
    [
        (CONSTANT, ["least"]),
        (UNKNOWN, ["least"]),
        (OWN, ["least", "few"]),
        (SWITCHING, ["least", "few", "all"]),
        (MOVED, ["least", "few", "all"]),
    ],
)
def test_latencies_last_from_pending_to_the_handler_and_to_the_task(
    source: str,
    traced: list[str],
    masked: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A mask holds interrupt 0 for three instructions more. QEMU traces more events only where the
    code does not tell what is pended, or the entry which exception a handler serves."""
    words = {"mask": "cpsid i", "unmask": "nop\n  nop\n  cpsie i"} if masked else {}
    source = source.format(**{"mask": "nop", "unmask": "nop", **words})
    image, held = guests.build(tmp_path, source), 3 if masked else 0
    opened, trace = [], only_run._trace

    def traces(events: tuple[str, ...]) -> AbstractContextManager[int | None]:
        few = "few" if "nvic_sysreg_write" in events else "least"
        opened.append("all" if "nvic_acknowledge_irq" in events else few)
        return trace(events)

    monkeypatch.setattr(only_run, "_trace", traces)
    status, out, err = ticklab(
        "profile", image, "--instructions", "5000", "--no-model", "--json", "-"
    )
    assert status == 0, err
    assert list(dict.fromkeys(opened)) == traced
    document = fits("profile", json.loads(out))
    switch, device = document["interrupts"]
    for found, entry, wake in ((device, held, held + 14), (switch, 1, 11)):
        for latency, expected in ((found["entry"], entry), (found["wake"], wake)):
            bounds = (latency["shortest"], latency["median"], latency["longest"])
            assert bounds == (expected,) * 3, found
            assert found["taken"] - latency["count"] <= 1, "the run may end inside"
    assert device["entry"]["function"] == "first"
    assert switch["entry"]["function"] == "serve"
    assert device["taken"] > 100


def test_what_waits_for_no_kernel_has_no_latency(tmp_path: Path) -> None:
    """An interrupt has no latency if it was pending before the program enabled it, or if the
    program cleared it."""
    source = (
        "  .pushsection .vectors\n  .word serve + 1\n  .popsection\n"
        "function reset\n  ldr r0, =0xe000e100\n  movs r1, #1\n"
        "again:\n  cpsid i\n  str r1, [r0, #0x100]\n  nop\n  str r1, [r0, #0x180]\n  cpsie i\n"
        "  str r1, [r0, #0x80]\n  str r1, [r0, #0x100]\n  nop\n  str r1, [r0]\n  b again\n"
        "function serve\n  bx lr\nfunction handler\n  b handler\n.ltorg\n"
    )
    image = guests.build(tmp_path, source)
    words = ("profile", image, "--instructions", "1000", "--no-model", "--json", "-")
    status, out, err = ticklab(*words)
    assert status == 0, err
    (found,) = json.loads(out)["interrupts"]
    assert found["taken"] > 50
    assert (found["entry"], found["wake"]) == (None, None)


# For each kernel: symbols of an image, a function of the kernel, and a function of the application.
KERNELS = {
    "FreeRTOS": ("vTaskStartScheduler xTaskIncrementTick", "xQueueGenericSend"),
    "ThreadX": ("_tx_initialize_kernel_enter _tx_thread_schedule", "_txe_queue_send"),
    "Zephyr": ("z_cstart z_thread_entry", "k_sem_give"),
    "µC/OS-III": ("OSInit OSTCBCurPtr OSSched", "OSSemPend"),
    "ChibiOS": ("chSysInit chThdCreateStatic", "chMBPostTimeout"),
    "NuttX": ("nx_start up_initialize", "nxsem_wait"),
    "RT-Thread": ("rt_thread_create rt_schedule", "rt_mq_send"),
    "rt": ("rt_start_sched rt_syscall_run", "rt_sem_post"),
    "Bulkhead": ("bulkhead_idle arch_threads_unprivileged", None),
}


@pytest.mark.parametrize("name", KERNELS)
def test_each_kernel_is_recognised_beside_the_names_of_an_application(name: str) -> None:
    symbols, function = KERNELS[name]
    found = kernel_table.recognise({*symbols.split(), "main", "tx_demo", "OS", "rtc_init"})
    assert found
    assert found.name == name
    assert function is None or found.owns(function)
    assert not found.owns("main")
    for missing in symbols.split()[:1]:
        assert kernel_table.recognise({*symbols.split()} - {missing}) is None


@pytest.mark.parametrize("form", ["perfetto", "chrome", "ctf", "flame"])
def test_a_profile_is_written_for_viewers(form: str, tmp_path: Path) -> None:
    image, file = guests.build(tmp_path, SERVED), tmp_path / "out.svg"
    words = ("profile", image, "--instructions", "5000", "--no-model", f"--{form}", file)
    assert ticklab(*words)[0] == 0
    size = sum(each.stat().st_size for each in (file.iterdir() if file.is_dir() else [file]))
    assert size > 1000


def test_a_profile_ends_with_status_1_if_the_guest_fails(tmp_path: Path) -> None:
    image = guests.build(tmp_path, SERVED.replace("  nop\n  pop {r4, pc}\n", "  udf #0\n"))
    status, out, err = ticklab("profile", image, "--instructions", "5000", "--no-model")
    assert status == 1
    assert "lockup" in err
    assert "handler" in out, "the profile of what came before"


def test_kernels_are_recognised_by_a_table_that_users_extend(tmp_path: Path) -> None:
    found = kernel_table.recognise({"vTaskStartScheduler", "main"})
    assert found
    assert found.name == "FreeRTOS"
    assert found.owns("xQueueGenericSend")
    assert not found.owns("filter")
    assert kernel_table.recognise({"main"}) is None
    table = tmp_path / "mine.toml"
    table.write_text('[[kernel]]\nname = "Mine"\nsymbols = ["main"]\nfunctions = ["my_*"]\n')
    mine = kernel_table.recognise({"vTaskStartScheduler", "main"}, table)
    assert mine
    assert mine.name == "Mine"
    table.write_text(table.read_text().replace('["main"]', "[]"))
    with pytest.raises(UsageError, match="symbols is empty"):
        kernel_table.recognise({"main"}, table)


# A guest that does not have what a recipe counts can still be profiled.
FAILING = ("locks up", "sleeps for ever", "writes its own code")


@pytest.mark.parametrize("how", FAILING)
def test_a_hostile_image_gets_one_line_and_status_1(how: str, tmp_path: Path) -> None:
    image = guests.build(tmp_path, HOSTILE[how][0].replace("  mark tick\n", ""))
    status, out, err = ticklab("profile", image, "--instructions", "50000", "--no-model")
    assert status == 1, out
    assert len(err.splitlines()) == 1, err
    assert err.startswith("ticklab: error: guest.elf")
