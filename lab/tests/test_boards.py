# SPDX-License-Identifier: MIT
"""Tests boards that exist for unported images only: a small firmware, linked for each board, has
the same counts on all of them. Other boards run kernels with a port (test_ports.py)."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import freertos_firmware
import pytest
from console import ticklab

from ticklab import paths
from ticklab.building import program
from ticklab.description import catalogue

# `work` is 4 instructions. SysTick ticks, so handlers are entered and left.
SOURCE = """
.syntax unified
.thumb
.section .vectors, "a"
table:
  .word stack, reset + 1
  .rept 13
  .word idle + 1
  .endr
  .word tick + 1, serve + 1
.macro function name
  .global \\\\name
  .type \\\\name, %function
  .thumb_func
\\\\name:
.endm
.text
function reset
  ldr r0, =0xe000ed08
  ldr r1, =table
  str r1, [r0]
  ldr r0, =0xe000e010
  ldr r1, =2000
  str r1, [r0, #4]
  movs r1, #7
  str r1, [r0]
  ldr r0, =0xe000e100
  movs r1, #1
  str r1, [r0]
again:
  bl work
  b again
function work
  adds r2, #1
  nop
  nop
  bx lr
function tick
  nop
  bx lr
function serve
  bx lr
function idle
  b idle
.ltorg
"""
BOARDS = (
    *("lm3s6965evb", "microbit", "mps2-an385", "mps2-an386", "mps2-an500", "mps2-an505"),
    *("mps2-an511", "mps2-an521", "mps3-an547", "netduinoplus2", "stm32vldiscovery"),
)


def linked(board: str, folder: Path, after: int = 0) -> Path:
    """Builds the firmware for the memories of a board; `after` so many bytes of a boot loader."""
    found = catalogue.find_board(board)
    (code, _), (data, size) = found.memory["code"], found.memory["data"]
    code += after
    source, image = folder / "small.S", folder / "small.elf"
    source.write_text(SOURCE.replace("\\\\", "\\"))
    script = folder / "small.ld"
    script.write_text(
        f"ENTRY(reset)\nstack = {data + size:#x};\n"
        f"SECTIONS {{ . = {code:#x}; .text : {{ *(.vectors) *(.text) }} }}\n"
    )
    made = program.Program(program.guest(found.core), [source], script)
    subprocess.run(made.command(image), check=True)
    return image


@pytest.mark.parametrize("board", BOARDS)
def test_an_image_for_the_board_is_counted(board: str, tmp_path: Path) -> None:
    image = linked(board, tmp_path)
    words = ("--board", board, "--instructions", "1000000", "--no-model", "--json", "-")
    status, out, err = ticklab("profile", image, *words)
    assert status == 0, err
    found = json.loads(out)
    (work,) = (each for each in found["functions"] if each["name"] == "work")
    assert 0 <= 4 * work["entries"] - work["cost"]["instructions"] <= 4, "the last call is cut off"
    (handler,) = found["exceptions"]
    assert (handler["name"], handler["entries"] > 5) == ("tick", True)
    assert 0 <= 2 * handler["entries"] - handler["cost"]["instructions"] <= 2


@pytest.mark.parametrize("board", BOARDS)
def test_an_interrupt_is_pended_on_the_board(board: str, tmp_path: Path) -> None:
    """Pends an interrupt before each instruction of `work`. The machines of QEMU differ in the name
    of the interrupt controller. A tick that is pending at the same time is served first, because
    its priority is the same and its number is lower; its handler has 2 instructions. In the first
    pass no tick is pending yet."""
    words = ("--board", board, "--line", "0", "--from", "work", "--json", "-")
    status, out, err = ticklab("inject", linked(board, tmp_path), *words)
    assert status == 0, err
    found = json.loads(out)
    assert (found["handler"], found["curve"]["instructions"]) == ("serve", [0, 2, 2, 2])


def test_an_image_after_a_boot_loader_names_its_table(tmp_path: Path) -> None:
    """The vector table is at 0x08008000, but the core reads the stack pointer and the first
    instruction from a table at 0x08000000."""
    image = linked("stm32vldiscovery", tmp_path, after=0x8000)
    words = ("--board", "stm32vldiscovery", "--instructions", "500000", "--no-model")
    status, _, err = ticklab("profile", image, *words)
    assert status == 1
    assert "name the table's place with --vectors" in err or "give --vectors" in err
    status, out, err = ticklab("profile", image, *words, "--vectors", "0x08008000", "--json", "-")
    assert status == 0, err
    (handler,) = json.loads(out)["exceptions"]
    assert (handler["name"], handler["entries"] > 2) == ("tick", True)


def test_a_table_beside_that_of_the_board_is_refused(tmp_path: Path) -> None:
    image = linked("stm32vldiscovery", tmp_path)
    words = ("--board", "stm32vldiscovery", "--call", "work", "--vectors", "0x08000004")
    status, out, err = ticklab("observe", image, *words)
    assert (status, out) == (1, "")
    assert len(err.splitlines()) == 1


# --- A firmware of FreeRTOS, built as its authors would build it for the board ------------------

RECIPE = freertos_firmware.FIRMWARE / "recipe.toml"


def document(*words: object) -> Any:
    """Returns the JSON of a command, which must succeed."""
    status, out, err = ticklab(*words, "--json", "-")
    assert status == 0, err
    return json.loads(out)


# A board of each core that runs a port of FreeRTOS, except the Cortex-M33, on which another test
# below runs the firmware. The long tests run the firmware on all boards.
OF_EACH_CORE = ("mps2-an386", "mps3-an547", "stm32vldiscovery")


@pytest.mark.parametrize(
    "board",
    [
        pytest.param(name, marks=[] if name in OF_EACH_CORE else pytest.mark.long)
        for name in freertos_firmware.BOARDS
    ],
)
def test_a_firmware_of_freertos_is_measured_on_the_board(board: str, tmp_path: Path) -> None:
    image, on = freertos_firmware.build(board, tmp_path), ("--board", board)
    found = document("profile", image, *on, "--instructions", "500000", "--no-model")
    assert found["kernel"] == "FreeRTOS"
    assert {"produce", "consume"} <= {each["name"] for each in found["tasks"]}
    assert {"SVC_Handler", "PendSV_Handler"} <= {each["name"] for each in found["exceptions"]}
    (receiver,) = (each for each in found["functions"] if each["name"] == "filter")
    (record,) = document("observe", image, *on, "--call", "filter", "--task", "consume")["records"]
    assert (record["pairing"]["left_out"], record["instructions"]["n"] > 900) == (0, True)
    each = receiver["cost"]["instructions"] / receiver["entries"]
    assert record["instructions"]["p50"] == pytest.approx(each, rel=0.01)
    stored = ("--no-why", "--store", tmp_path / "store")
    found = document("run", "--image", image, *on, "--recipe", RECIPE, *stored)
    spans = {each["span"]: each for each in found["records"]}
    assert spans["filter"]["instructions"]["p50"] == record["instructions"]["p50"]
    found = document("inject", image, *on, "--line", "0", "--from", "vPortEnterCritical")
    assert found["handler"] == "Receive_Handler"


def test_a_board_of_ones_own_runs_a_firmware(tmp_path: Path) -> None:
    """The board's folder is outside the repository, and the board has more memory, at another
    address."""
    own = tmp_path / "own board"
    own.mkdir()
    text = (paths.CHECKOUT / "platform/boards/mps2-an505/board.toml").read_text()
    text = text.replace('name = "mps2-an505"', 'name = "mine"')
    text = re.sub(r"(?m)^data = .*", "data = [0x3820_0000, 0x0020_0000]", text)
    (own / "board.toml").write_text(text)
    image = freertos_firmware.build("mps2-an505", tmp_path)
    for board in ("mps2-an505", own):
        words = ("--call", "filter", "--until", "marks=100")
        (record,) = document("observe", image, "--board", board, *words)["records"]
        assert record["instructions"]["min"] > 20
    stored = ("--recipe", RECIPE, "--store", tmp_path / "store")
    found = document("run", "--image", image, "--board", own, *stored)
    assert {each["board"] for each in found["records"]} == {"mine"}
