# SPDX-License-Identifier: MIT
"""Tests `inject`, which pends an interrupt at every instruction of a span, with a real QEMU."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import guests
import pytest
from console import ticklab
from documents import fits

from ticklab.description import recipe
from ticklab.errors import UsageError
from ticklab.targets import stepper

# A guest that serves external interrupt 0, whose function `work` masks interrupts for its
# instructions 3 to 5.
SERVING = (
    "  .pushsection .vectors\n  .word serve + 1, idle + 1\n  .popsection\n"
    "function serve\n  nop\n  bx lr\n"
    "function reset\n  ldr r0, =0xe000e100\n  movs r1, #1\n  str r1, [r0]\n"
    "again:\n  bl work\n  nop\n  b again\n"
    "function work\n  nop\n  cpsid i\n  nop\n  nop\n  cpsie i\n  nop\n  bx lr\n"
    "function idle\n  b idle\nfunction handler\n  bx lr\n.ltorg\n"
)


def test_the_latency_is_counted_at_every_instruction(tmp_path: Path) -> None:
    image = guests.build(tmp_path, SERVING)
    status, out, err = ticklab("inject", image, "--line", 0, "--from", "work", "--json", "-")
    assert status == 0, err
    found = fits("injection", json.loads(out))
    curve = found["curve"]
    assert curve["instructions"] == [0, 0, 3, 2, 1, 0, 0]
    assert (curve["position"], curve["pended_before"]) == (3, "work+0x4")
    assert curve["held_until"] == "work+0x8"
    assert found["handler"] == "serve"
    (wait,) = found["waits"]
    assert (wait["first"], wait["last"], wait["instructions"]) == (3, 5, 3)
    assert (wait["begin"], wait["end"]) == ("work+0x4", "work+0x8")


# `work` takes one of two paths, and a data word lies between the two.
BRANCHING = SERVING.replace(
    "function work\n  nop\n  cpsid i\n",
    "function work\n  cbz r6, 1f\n  nop\n  nop\n  nop\n  b 1f\n.balign 4\n  .word 0\n"
    "1:\n  cpsid i\n",
).replace("function idle", ".size work, . - work\nfunction idle")


def test_coverage_names_what_was_not_reached(tmp_path: Path) -> None:
    image = guests.build(tmp_path, BRANCHING)
    status, out, err = ticklab("inject", image, "--line", 0, "--from", "work", "--json", "-")
    assert status == 0, err
    (reached,) = json.loads(out)["reached"]
    assert (reached["function"], reached["instructions"], reached["of"]) == ("work", 7, 11)
    (missed,) = reached["missed"]
    assert (missed["begin"], missed["instructions"]) == ("work+0x2", 4)


SWEPT = """
[recipe]
name = "mine"
title = "The worst latency of an interrupt"

[[scenario]]
name = "work"
inject = { line = 0, from = "work" }
"""


def test_a_recipe_stores_and_gates_the_worst_case(tmp_path: Path) -> None:
    """A baseline holds the curve; one more masked instruction in the image is a regression."""
    image = guests.build(tmp_path / "a", SERVING).rename(tmp_path / "app.elf")
    file, store, base = (tmp_path / name for name in ("mine.toml", "store", "base.json"))
    file.write_text(SWEPT)
    words = ("run", "--image", image, "--recipe", file, "--store", store, "--json", "-")
    status, out, err = ticklab(*words)
    assert status == 0, err
    (record,) = json.loads(out)["records"]
    assert (record["suite"], record["scenario"], record["span"]) == ("mine", "work", "latency")
    assert record["curve"]["instructions"] == [0, 0, 3, 2, 1, 0, 0]
    assert "found 1 in the store" in ticklab(*words)[2]
    status, _, err = ticklab("baseline", "save", base, "--store", store)
    assert status == 0, err
    longer = SERVING.replace("  cpsie i\n", "  nop\n  cpsie i\n")
    guests.build(tmp_path / "b", longer).rename(image)
    status, out, err = ticklab("gate", "--baseline", base, "--store", store)
    assert status == 3, err
    assert "instructions 3 → 4" in out
    assert "work +1 instructions" in out


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("line = 0, ", "", "inject] line is missing"),
        ("line = 0", "line = -1", "must be 0 or more"),
        ("inject", 'marks = { a = "work" }\ninject', "marks cannot be combined with inject"),
    ],
)
def test_a_mistake_in_a_sweep_is_named(old: str, new: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(SWEPT.replace(old, new, 1))
    with pytest.raises(UsageError, match=reason):
        recipe.find(str(file))


def test_a_span_ends_where_the_user_says(tmp_path: Path) -> None:
    image = guests.build(tmp_path, SERVING)
    words = ("inject", image, "--line", 0, "--from", "work+2", "--to", "work+8", "--json", "-")
    status, out, err = ticklab(*words)
    assert status == 0, err
    assert json.loads(out)["curve"]["instructions"] == [0, 3, 2]


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        ("--line 1 --from work", 1, "interrupt 1 was not taken in 20,000 instructions"),
        ("--line 200 --from work", 1, "has no handler of interrupt 200"),
        ("--line 0 --from reset --to idle", 1, "the span has more than 5,000 instructions"),
        ("--line 0 --from write:0x20000000", 2, "is not one instruction"),
        ("--line 0 --from wrk", 1, "no symbol 'wrk'"),
        ("--line 0 --from work --board virt", 2, "board virt has no interrupts to pend"),
    ],
)
def test_what_cannot_be_swept_is_refused_in_one_line(
    words: str, status: int, reason: str, tmp_path: Path
) -> None:
    image = guests.build(tmp_path, SERVING)
    found, out, err = ticklab("inject", image, *words.split())
    assert (found, out) == (status, ""), err
    assert reason in err
    assert len(err.splitlines()) <= 2, "at most the progress before"


def test_a_span_that_never_begins_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stepper, "Stepper", partial(stepper.Stepper, patience_s=1))
    image = guests.build(tmp_path, SERVING)
    status, out, err = ticklab("inject", image, "--line", 0, "--from", "idle")
    assert (status, out) == (1, ""), err
    assert "the guest ended, or came no further in 1 s" in err
    assert len(err.splitlines()) <= 2, "at most the progress before"


# While r6 is 1, handler `serve` does not return: it hangs, or it faults, and the handler of the
# fault faults too.
LOSING = SERVING.replace("serve\n  nop\n", "serve\n  cbz r6, 1f\n2:\n  {bad}\n  b 2b\n1:\n")
LOSING = LOSING.replace("handler\n  bx lr", "handler\n  udf #1")
LOSING = LOSING.replace("again:", "  movs r6, #0\nagain:").replace(
    "  cpsie i\n  nop\n", "  cpsie i\n  movs r6, #1\n  nop\n  movs r6, #0\n"
)


@pytest.mark.parametrize("bad", ["nop", "udf #0"])
def test_a_guest_that_an_interrupt_breaks_has_a_whole_curve(
    bad: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stepper, "Stepper", partial(stepper.Stepper, patience_s=1))
    image, file = guests.build(tmp_path, LOSING.format(bad=bad)), tmp_path / "found.json"
    status, out, err = ticklab("inject", image, "--line", 0, "--from", "work", "--json", file)
    assert status == 1, out
    found = fits("injection", json.loads(file.read_text()))
    assert found["curve"]["instructions"] == [0, 0, 3, 2, 1, 0, 0, 0, 0]
    assert [each["position"] for each in found["lost"]] == [7, 8]
    assert "lost after position 7, pended before work+0xc: the guest ended" in out
    assert "was lost after the interrupt at 2 of 9 positions, first at work+0xc" in err
    recipe_file, store = tmp_path / "mine.toml", tmp_path / "store"
    recipe_file.write_text(SWEPT)
    words = ("run", "--image", image, "--recipe", recipe_file, "--store", store)
    status, out, err = ticklab(*words)
    assert (status, "the guest was lost after" in out) == (1, True), out + err


# `work` is executed so many times. Then the guest ends, or executes nothing but `idle`.
ENDING = LOSING.replace(
    "again:\n  bl work\n  nop\n  b again\n",
    "  movs r4, #{passes}\nagain:\n  bl work\n  subs r4, #1\n  bne again\n{last}  b idle\n",
)
END = "  movs r0, #0x18\n  ldr r1, =0x20026\n  bkpt 0xab\n"


@pytest.mark.parametrize(
    ("passes", "last", "lost"),
    [
        (9, "", [7, 8]),
        (3, END, [7, 8]),
        (2, "", [7, 8]),
        (1, END, []),
        *(
            pytest.param(*each, marks=pytest.mark.long)
            for each in ((9, END, [7, 8]), (3, "", [7, 8]), (2, END, [7, 8]), (1, "", []))
        ),
    ],
)
def test_a_guest_that_ends_by_itself_is_not_lost(
    passes: int, last: str, lost: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guest is started again. It is not known whether it survives an interrupt in its only
    pass."""
    monkeypatch.setattr(stepper, "Stepper", partial(stepper.Stepper, patience_s=1))
    image = guests.build(tmp_path, ENDING.format(bad="nop", passes=passes, last=last))
    status, out, err = ticklab("inject", image, "--line", 0, "--from", "work", "--json", "-")
    assert status == int(bool(lost)), err
    found = json.loads(out)
    assert found["curve"]["instructions"] == [0, 0, 3, 2, 1, 0, 0, 0, 0]
    assert [each["position"] for each in found["lost"]] == lost


# A guest that moves its table of vectors to RAM, and exchanges the handler of interrupt 0 after
# each pass.
EXCHANGING = SERVING.replace(
    "again:\n  bl work\n  nop\n",
    "  ldr r0, =0x20000000\n  movs r1, #0\n1:\n  ldr r2, [r1]\n  str r2, [r0, r1]\n"
    "  adds r1, #4\n  cmp r1, #72\n  bne 1b\n  ldr r1, =0xe000ed08\n  str r0, [r1]\n"
    "  ldr r5, =serve + 1\n  ldr r6, =other + 1\n"
    "again:\n  bl work\n  str r6, [r0, #64]\n  eors r5, r6\n  eors r6, r5\n  eors r5, r6\n",
).replace("function idle", "function other\n  nop\n  bx lr\nfunction idle")


def test_a_guest_that_rewrites_its_table_of_vectors_is_swept(tmp_path: Path) -> None:
    image = guests.build(tmp_path, EXCHANGING)
    status, out, err = ticklab("inject", image, "--line", 0, "--from", "work", "--json", "-")
    assert status == 0, err
    found = json.loads(out)
    assert found["curve"]["instructions"] == [0, 0, 3, 2, 1, 0, 0]
    assert found["handler"] == "serve or other"
    assert found["lost"] == []
