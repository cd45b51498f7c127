# SPDX-License-Identifier: MIT
"""Boards for images that nobody ported: one small firmware, linked for each, has the same counts
on each. Kernels with a port run on other boards (test_ports.py)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from test_images import ticklab

from ticklab.description import catalogue

# `work` is 4 instructions. SysTick ticks, so handlers are entered and left.
SOURCE = """
.syntax unified
.thumb
.section .vectors, "a"
  .word stack, reset + 1
  .rept 13
  .word idle + 1
  .endr
  .word tick + 1
.macro function name
  .global \\\\name
  .type \\\\name, %function
  .thumb_func
\\\\name:
.endm
.text
function reset
  ldr r0, =0xe000e010
  ldr r1, =2000
  str r1, [r0, #4]
  movs r1, #7
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
function idle
  b idle
.ltorg
"""
BOARDS = ("microbit", "mps2-an521", "mps3-an547", "netduinoplus2", "stm32vldiscovery")


def linked(board: str, folder: Path) -> Path:
    """Builds the firmware for the memories of a board."""
    found = catalogue.find_board(board)
    (code, _), (data, size) = found.memory["code"], found.memory["data"]
    source, image = folder / "small.S", folder / "small.elf"
    source.write_text(SOURCE.replace("\\\\", "\\"))
    script = folder / "small.ld"
    script.write_text(
        f"ENTRY(reset)\nstack = {data + size:#x};\n"
        f"SECTIONS {{ . = {code:#x}; .text : {{ *(.vectors) *(.text) }} }}\n"
    )
    words = [found.core.arch.compiler.program, *found.core.flags, "-nostdlib", "-T", script]
    subprocess.run([*words, source, "-o", image], check=True)
    return image


@pytest.mark.parametrize("board", BOARDS)
def test_an_image_for_the_board_is_counted(board: str, tmp_path: Path) -> None:
    image = linked(board, tmp_path)
    words = ("--board", board, "--instructions", "1000000", "--no-model", "--json", "-")
    status, out, err = ticklab("profile", image, *words)
    assert status == 0, err
    found = json.loads(out)
    (work,) = (each for each in found["functions"] if each["name"] == "work")
    assert 0 <= 4 * work["entries"] - work["cost"]["instructions"] < 4, "the last call is cut off"
    (handler,) = found["exceptions"]
    assert (handler["name"], handler["entries"] > 5) == ("tick", True)
    assert handler["cost"]["instructions"] == 2 * (handler["entries"] - 1)
