# SPDX-License-Identifier: MIT
"""`profile`: where the instructions of an image go, with the real compiler and QEMU."""

from __future__ import annotations

import json
from pathlib import Path

import guests
import pytest
from console import ticklab
from documents import fits
from test_images import HOSTILE

from ticklab.description import kernel_table
from ticklab.errors import UsageError

# Masks interrupts for 3 instructions in `work`, and takes a supervisor call in each round.
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
    # The last entry ends the profile, so the last handler is not in it.
    assert handler["cost"]["instructions"] == 3 * (rounds - 1)
    assert handler["stack_bytes"] == 8
    assert functions["work"]["cost"]["instructions"] == 5 * rounds
    assert functions["work"]["entries"] == rounds
    (stretch,) = found["masked"]
    assert (stretch["function"], stretch["longest"]) == ("work", 3)
    total = found["total"]["instructions"]
    assert sum(each["cost"]["instructions"] for each in functions.values()) == total
    assert found["kernel"] is None


def test_a_run_without_an_exception_is_refused(tmp_path: Path) -> None:
    image = guests.build(tmp_path, guests.UNMARKED)
    status, out, err = ticklab("profile", image, "--instructions", "5000")
    assert (status, out) == (1, "")
    assert "took no exception" in err
    assert len(err.splitlines()) == 1


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


@pytest.mark.parametrize("how", HOSTILE)
def test_a_hostile_image_gets_one_line_and_status_1(how: str, tmp_path: Path) -> None:
    image = guests.build(tmp_path, HOSTILE[how][0].replace("  mark tick\n", ""))
    status, out, err = ticklab("profile", image, "--instructions", "50000", "--no-model")
    assert status == 1, out
    assert len(err.splitlines()) == 1, err
    assert err.startswith("ticklab: error: guest.elf")
