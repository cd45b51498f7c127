# SPDX-License-Identifier: MIT
"""Tests `observe` on images that Ticklab did not build, between two of their addresses."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import console
import guests
import pytest
from documents import fits

from ticklab import cli
from ticklab.building import elf
from ticklab.building.elf import Elf, Symbol
from ticklab.building.program import Program
from ticklab.description.model import Watch
from ticklab.errors import TicklabError, UsageError
from ticklab.explain import kept_run, second_run
from ticklab.targets import mark_resolver
from ticklab.targets.protocol import AddedMark

# From `work` to `done` there are 4 instructions, and 2 more follow until the next `work`.
GUEST = (
    "function reset\n  movs r2, #0\nfunction work\n  adds r2, #1\n  nop\n  nop\n  nop\n"
    "function done\n  nop\n  b work\nfunction never\n  nop\n"
) + guests.UNMARKED[guests.UNMARKED.index("function handler") :]

IMAGE = Elf(
    Path("x.elf"),
    (Symbol("twice", 0x10, 4), Symbol("twice", 0x20, 4), Symbol("vTaskDelay", 0x30, 8)),
    has_marks=False,
    variables=(Symbol("count", 0x20000000, 4), Symbol("flag", 0x20000005, 1)),
)


# The observed function calls itself once, in its middle. Both calls execute the function's last
# instruction.
NESTED = (
    "function reset\n  movs r4, #0\nagain:\n  movs r0, #1\n  bl outer\n  b again\n"
    "function outer\n  push {r4, lr}\n  cbz r0, 1f\n  subs r0, #1\n  bl outer\n  nop\n"
    "1:\n  pop {r4, pc}\nfunction done\n"
) + guests.UNMARKED[guests.UNMARKED.index("function handler") :]

# One call in 1,000 reaches the end of the function; the others return from its middle.
RARELY = (
    "function reset\n  movs r4, #0\nagain:\n  adds r4, #1\n  bl work\n  b again\n"
    "function work\n  cmp r4, #1000\n  beq 1f\n  bx lr\n1:\n  movs r4, #0\n  bx lr\n"
) + guests.UNMARKED[guests.UNMARKED.index("function handler") :]

# A loop in the function begins at its first instruction, and a tail call of another function leads
# to this instruction.
LOOPING = (
    "function reset\n  movs r4, #0\nagain:\n  movs r0, #5\n  bl work\n  b again\n"
    "function work\n  subs r0, #1\n  beq 1f\n  cmp r0, #2\n  bne work\n  b other\n"
    "1:\n  bx lr\nfunction other\n  nop\n  b work\n"
) + guests.UNMARKED[guests.UNMARKED.index("function handler") :]

# The handler of SVC calls the function that the SVC interrupted.
HANDLED = (
    "function reset\n  nop\nagain:\n  movs r0, #0\n  bl work\n  b again\n"
    "function work\n  push {r4, lr}\n  cbnz r0, 1f\n  svc 0\n1:\n  nop\n  pop {r4, pc}\n"
    "function handler\n  push {r4, lr}\n  movs r0, #1\n  bl work\n  pop {r4, pc}\n"
)


# Each call of the function pends an external interrupt, whose handler returns at once.
INTERRUPTED = (
    "  .pushsection .vectors\n  .word serve + 1\n  .popsection\n"
    "function serve\n  bx lr\n"
    "function reset\n  ldr r0, =0xe000e100\n  movs r1, #1\n  str r1, [r0]\n"
    "again:\n  bl work\n  b again\n"
    "function work\n  ldr r0, =0xe000e200\n  str r1, [r0]\n  dsb\n  isb\n  bx lr\n"
    "function handler\n  bx lr\n.ltorg\n"
)


def observe(folder: Path, *words: str, source: str = GUEST) -> console.Answer:
    image = guests.build(folder / "somebody else's", source)
    return console.ticklab("observe", image, *words)


def test_the_count_between_two_symbols(tmp_path: Path) -> None:
    marks = ("--mark", "a=work", "--mark", "b=done", "--until", "marks=20")
    status, out, err = observe(tmp_path, *marks, "--json", "-")
    assert status == 0, err
    found = fits("observation", json.loads(out))
    (record,) = found["records"]
    assert record["span"] == "a → b"
    assert (record["instructions"]["n"], record["instructions"]["min"]) == (20, 4)
    assert record["instructions"]["max"] == 4
    assert record["cycles"]["profile"] == "zero-wait"
    assert [mark["passes"] for mark in found["marks"]] == [20, 20]


def lengths(out: str) -> list[tuple[int, int, int]]:
    """Returns the number, the least and the greatest length of the samples of each span."""
    stats = [record["instructions"] for record in json.loads(out)["records"]]
    return [(each["n"], each["min"], each["max"]) for each in stats]


QUIET = ("--until", "instructions=3000", "--no-model", "--json", "-")


def test_a_function_that_calls_itself_ends_its_own_samples(tmp_path: Path) -> None:
    marks = ("--mark", "a=outer", "--mark", "b=outer+12")
    status, out, err = observe(tmp_path, *marks, *QUIET, source=NESTED)
    assert status == 0, err
    ((count, least, most),) = lengths(out)
    # From the first to the last instruction of the function, the inner call takes 2 instructions.
    # The outer call takes 8: 4 before the inner call, 3 in it, and 1 after it.
    assert (least, most) == (2, 8)
    assert count in (499, 500)
    (record,) = json.loads(out)["records"]
    assert record["pairing"]["scope"] == "call"
    assert record["pairing"]["begins_without_end"] <= 2


def test_a_call_lasts_until_it_returns(tmp_path: Path) -> None:
    status, out, err = observe(tmp_path, "--call", "outer", *QUIET, source=NESTED)
    assert status == 0, err
    assert [(least, most) for _, least, most in lengths(out)] == [(3, 9)]
    status, out, err = observe(tmp_path, "--call", "w=work", *QUIET, source=RARELY)
    assert [(least, most) for _, least, most in lengths(out)] == [(3, 3)]


def test_a_call_whose_first_instruction_is_passed_again_lasts_from_its_entry(
    tmp_path: Path,
) -> None:
    status, out, err = observe(tmp_path, "--call", "work", *QUIET, source=LOOPING)
    assert status == 0, err
    # The calls with 5, 4 and 2 take 4 instructions each; the call with 3 takes 5 and the other
    # function's 2; the call with 1 takes 3.
    assert [(least, most) for _, least, most in lengths(out)] == [(22, 22)]


def test_a_call_of_a_handler_ends_inside_the_call_that_it_interrupted(tmp_path: Path) -> None:
    status, out, err = observe(tmp_path, "--call", "work", *QUIET, source=HANDLED)
    assert status == 0, err
    # A call in the handler takes 4 instructions. The call that the handler interrupts takes 3, then
    # the handler's 4 with the 4 of its call, then 2.
    assert [(least, most) for _, least, most in lengths(out)] == [(4, 13)]


def test_what_is_paired_with_nothing_is_no_figure(tmp_path: Path) -> None:
    marks = ("--mark", "a=work", "--mark", "b=work+8", "--until", "instructions=8000")
    status, out, err = observe(tmp_path, *marks, "--json", "-", source=RARELY)
    assert (status, out) == (1, "")
    assert (
        "1 of 1,333 passes of mark 'a' have an end of their own among the 1 passes of mark 'b'"
        in err
    )
    assert "measure whole calls with --call FUNCTION" in err


def test_passes_without_a_partner_are_counted_beside_the_figures(tmp_path: Path) -> None:
    words = ("--mark", "a=outer", "--mark", "b=outer+12", "--until", "marks=21")
    status, out, err = observe(tmp_path, *words, source=NESTED)
    assert status == 0, err
    assert "each sample lies in one call; not paired: 1 of 22 begins." in out


@pytest.mark.parametrize("external", ["1", "any"])
def test_interrupts_of_the_image_belong_to_its_samples(external: str, tmp_path: Path) -> None:
    words = ("--call", "work", *QUIET)
    status, out, _ = observe(tmp_path, *words, source=INTERRUPTED)
    (record,) = json.loads(out)["records"]
    assert (status, record["instructions"]) == (0, None)
    status, out, _ = observe(tmp_path, *words, "--external", external, source=INTERRUPTED)
    assert [(least, most) for _, least, most in lengths(out)] == [(6, 6)]
    status, out, _ = observe(tmp_path, *words[:2], "--until", "marks=9", source=INTERRUPTED)
    assert "every sample had an external interrupt inside; --external N says how many" in out


def test_more_external_interrupts_than_any_sample_has_are_refused(tmp_path: Path) -> None:
    words = ("--call", "work", "--external", "1000000000000")
    status, out, err = observe(tmp_path, *words, source=INTERRUPTED)
    assert (status, out) == (1, ""), out
    assert "no sample has 1,000,000,000,000 external interrupts, the most is 1" in err


def test_the_warm_up_is_left_out(tmp_path: Path) -> None:
    words = ("--call", "outer", "--until", "marks=20", "--warm-up", "5", "--json", "-")
    status, out, err = observe(tmp_path, *words, source=NESTED)
    assert status == 0, err
    assert lengths(out)[0][0] == 15
    status, out, err = observe(tmp_path, *words[:5], "20", source=NESTED)
    assert (status, out) == (1, "")
    assert "'outer': a warm-up of 20 leaves none of the 20 samples; lower --warm-up" in err


MARKED = "function reset\n  nop\nfunction work\n  nop\n  nop\n"
ENDS = {
    "exit": (guests.LEAVING, "0 in", 0),
    "status": (guests.LEAVING.replace("0x20026, 0", "0x20026, 3"), "3 in", 1),
    "lockup": (guests.LOCKUP, "lockup: a fault inside a fault handler in handler", 1),
    "fault": (
        "function reset\n  nop\n  udf #0\nfunction handler\n  b handler\n",
        "the guest took a HardFault",
        1,
    ),
    "hang": (guests.ASLEEP, "hang: the guest makes no progress in idle", 1),
}


@pytest.mark.parametrize("how", ENDS)
def test_the_end_of_the_run_is_reported(how: str, tmp_path: Path) -> None:
    source, words, expected = ENDS[how]
    source = source.replace("  mark tick\n", "").replace("function reset\n", MARKED, 1)
    marks = ("--mark", "a=work", "--mark", "b=work+2", "--until", "instructions=500", "--no-model")
    status, out, err = observe(tmp_path, *marks, source=source)
    assert status == expected, err
    assert words in " ".join((out if not expected else err).split())
    assert "The run ended: " in out, "the figures come first"
    status, out, _ = observe(tmp_path, *marks, "--json", "-", source=source)
    end = json.loads(out)["end"]
    assert status == expected
    assert end["status"] == {"exit": 0, "status": 3}.get(how)
    assert bool(end["faults"]) == (how in ("fault", "lockup"))


def test_the_console_of_the_guest_is_shown(tmp_path: Path) -> None:
    source = guests.LEAVING.replace("  mark tick\n", "").replace("function reset\n", MARKED, 1)
    marks = ("--mark", "a=work", "--mark", "b=work+2", "--no-model")
    _, out, _ = observe(tmp_path, *marks, source=source)
    assert "The guest's console:\n  hello" in out
    _, out, _ = observe(tmp_path, *marks, "--json", "-", source=source)
    assert json.loads(out)["console"] == "hello\n"


def test_the_observers_own_reason_is_reported(tmp_path: Path) -> None:
    words = ("--call", "outer", "--profile", str(tmp_path / "p.toml"))
    flash = "origin = 0\nbytes = 1024\nwait_states = 4\nline_bytes = 12\nprefetch = true\n"
    (tmp_path / "p.toml").write_text(f'title = "p"\n[flash]\n{flash}')
    status, _, err = observe(tmp_path, *words, source=NESTED)
    assert status == 1
    assert "timing profile: flash.line_bytes = 12; it must be a power of two from 4 to 64" in err
    (tmp_path / "p.toml").write_text(f'title = "p"\n[flash]\n{flash.replace("12", "8")}')
    assert observe(tmp_path, *words, "--until", "marks=9", source=NESTED)[0] == 0, "no caches"


def test_a_recorded_run_has_the_samples_that_were_paired(tmp_path: Path) -> None:
    folder = tmp_path / "recording"
    words = ("--call", "outer", "--save", str(folder), "--no-model")
    status, _, err = observe(tmp_path, *words, "--until", "marks=100", source=NESTED)
    assert status == 0, err
    first = kept_run.read(folder)
    (span,) = first.about.spans
    answer = second_run.explain(first, [span], sample="worst")
    assert answer.spans[0].samples == 100


def test_the_lines_of_discarded_code_belong_to_no_instruction(tmp_path: Path) -> None:
    """The linker sets the addresses of a discarded section to 0 in its debug information."""
    gone = '  .pushsection .text.gone, "ax"\n' + 200 * "  wfi\n" + "  .popsection\n"
    image = guests.build(tmp_path / "guest", gone + GUEST, flags=["-g"])
    source = image.with_suffix(".S").read_text().splitlines()
    folder = tmp_path / "recording"
    words = ["--mark", "a=work", "--until", "marks=5", "--no-model", "--save", str(folder)]
    assert cli.main(["observe", str(image), *words]) == 0
    first = kept_run.read(folder)
    (span,) = second_run.explain(first, first.about.spans).spans
    lines = [source[int((code.line or ":0").partition(":")[2]) - 1].strip() for code in span.code]
    assert lines == ["adds r2, #1", "nop", "nop", "nop", "nop", "b work"]
    place = f"guest.S:{1 + source.index('  wfi')}"
    with pytest.raises(TicklabError, match=f"no instruction belongs to {place}"):
        resolve(f"a={place}", image=elf.read(image))


def test_one_mark_is_timed_from_pass_to_pass(tmp_path: Path) -> None:
    words = ("--mark", "a=work+2", "--until", "instructions=6000", "--no-model", "--json", "-")
    status, out, err = observe(tmp_path, *words)
    assert status == 0, err
    (record,) = json.loads(out)["records"]
    assert (record["instructions"]["mean"], record["instructions"]["n"]) == (6, 999)
    assert record["cycles"] is None


def test_a_mark_that_is_never_passed_is_an_error(tmp_path: Path) -> None:
    words = ("--mark", "a=work", "--mark", "b=never", "--until", "instructions=1000")
    status, out, err = observe(tmp_path, *words)
    assert (status, out) == (1, "")
    assert "mark 'b' was never passed" in err
    assert "was never passed; the run ended: the budget of instructions was spent in work" in err


def test_marks_that_are_never_passed_one_after_the_other_are_an_error(tmp_path: Path) -> None:
    words = ("--mark", "a=work", "--mark", "b=reset", "--until", "instructions=1000")
    status, out, err = observe(tmp_path, *words)
    assert (status, out) == (1, "")
    assert (
        "0 of 167 passes of mark 'a' have an end of their own among the 1 passes of mark 'b'" in err
    )
    assert "give the marks in the order in which they are passed" in err


def test_a_missing_symbol_is_named_with_its_like(tmp_path: Path) -> None:
    status, _, err = observe(tmp_path, "--mark", "a=wrk")
    assert status == 1
    assert "no symbol 'wrk' in" in err
    assert "did you mean work?" in err


def resolve(*words: str, image: Elf = IMAGE) -> tuple[AddedMark, ...]:
    marks = mark_resolver.gather(map(mark_resolver.parse, words))
    return mark_resolver.resolve(Watch(marks), image).places


@pytest.mark.parametrize(
    ("word", "places"),
    [
        ("a=vTaskDelay,0x40", [(0x30, False), (0x40, False)]),
        ("a=twi*", [(0x10, False), (0x20, False)]),
        ("a=write:count+2", [(0x20000002, True)]),
        ("a=write:flag,vTaskDelay", [(0x20000005, True), (0x30, False)]),
        ("a=write:0x40000000", [(0x40000000, True)]),
    ],
)
def test_a_mark_has_places_of_several_kinds(word: str, places: list[tuple[int, bool]]) -> None:
    assert [(place.address, place.is_write) for place in resolve(word)] == places


def test_exceptions_and_returns_are_marks(tmp_path: Path) -> None:
    words = ("--mark", "entry.svcall", "--mark", "exit.svcall")
    status, out, err = observe(tmp_path, *words, *QUIET, source=HANDLED)
    assert status == 0, err
    assert [(least, most) for _, least, most in lengths(out)] == [(8, 8)]
    words = ("--mark", "a=work", "--mark", "b=return:work")
    status, out, err = observe(tmp_path, *words, *QUIET, source=HANDLED)
    assert status == 0, err
    assert [(least, most) for _, least, most in lengths(out)] == [(4, 13)], "as --call"


def test_a_kind_of_exceptions_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="no kind of exceptions 'systik'; did you mean systick"):
        resolve("entry.systik")


def test_a_line_of_the_source_is_a_place(tmp_path: Path) -> None:
    source = tmp_path / "line.c"
    source.write_text("int f(int x) {\n  x += 3;\n  return x * x;\n}\n")
    image = tmp_path / "line.elf"
    made = Program(guests.compiler(), [source], options=["-g", "-O0", "-Wl,-e,f"])
    subprocess.run(made.command(image), check=True)
    guest = elf.read(image)
    (begin,) = resolve("a=f", image=guest)
    (line,) = resolve("a=line.c:3", image=guest)
    assert begin.address < line.address < begin.address + 20
    with pytest.raises(TicklabError, match=r"no instruction belongs to line\.c:9; line 4 has some"):
        resolve("a=line.c:9", image=guest)
    with pytest.raises(UsageError, match=r"'lime\.c'; did you mean line\.c"):
        resolve("a=lime.c:3", image=guest)


def test_an_ambiguous_symbol_lists_its_addresses() -> None:
    with pytest.raises(TicklabError, match=r"'twice' is ambiguous in x\.elf: 0x10, 0x20"):
        resolve("a=twice")
    (place,) = resolve("a=0x20+4")
    assert place.address == 0x24


@pytest.mark.parametrize("word", ["a", "a=", "=main", "a=main+", "a=main+x", "a b=main"])
def test_what_is_no_mark_is_refused(word: str) -> None:
    with pytest.raises(UsageError, match="not a mark; write NAME=SYMBOL"):
        mark_resolver.parse(word)


def test_two_marks_of_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match="two marks are called 'a'"):
        resolve("a=vTaskDelay", "a=0x10")


def test_the_name_of_a_calls_return_is_refused(tmp_path: Path) -> None:
    words = ("--call", "outer", "--mark", "outer.return=outer+4")
    status, out, err = observe(tmp_path, *words, source=NESTED)
    assert (status, out) == (2, "")
    assert "'outer.return' is the name of a call's return; give another name" in err


def test_an_image_without_symbols_takes_addresses() -> None:
    stripped = Elf(Path("x.elf"), (), has_marks=False)
    with pytest.raises(TicklabError, match=r"no symbols; give addresses"):
        resolve("a=main", image=stripped)
    assert resolve("a=0x10", image=stripped)[0].address == 0x10


def test_an_odd_address_is_refused() -> None:
    with pytest.raises(UsageError, match="odd address 0x31"):
        resolve("a=vTaskDelay+1")


def test_an_address_of_more_than_32_bits_is_refused() -> None:
    with pytest.raises(UsageError, match=r"'a' is at 0x100000030; .*32 bits"):
        resolve("a=vTaskDelay+0x100000000")


# A round of this program passes a mark of every kind, in the order of the marks in the test below.
# The rounds call `work_a` and `work_b` alternately; each pends interrupt 0, whose handler has one
# instruction. `outer` is recursive, three calls deep.
EVERY_KIND = (
    "  .pushsection .vectors\n  .word serve + 1\n  .popsection\n"
    "function serve\n  bx lr\n"
    "function reset\n  ldr r0, =0xe000e100\n  ldr r6, =0xe000e200\n  movs r7, #1\n  str r7, [r0]\n"
    "  movs r5, #0\nagain:\n"
    "  movs r0, #2\n  bl outer\n  eor r5, r5, #1\n  cbz r5, 2f\n  bl work_a\n  b 3f\n"
    "2:\n  bl work_b\n  nop\n3:\n  svc 0\n  b again\n"
    "function outer\n  push {r4, lr}\n  cbz r0, 1f\n  subs r0, #1\n  bl outer\n  pop {r4, pc}\n"
    "1:\n  ldr r2, =0x20000000\n  str r0, [r2]\n  pop {r4, pc}\n"
    "function work_a\n  str r7, [r6]\n  bx lr\nfunction work_b\n  str r7, [r6]\n  bx lr\n"
    "function handler\n  nop\n  bx lr\n.ltorg\n"
)


def test_marks_of_every_kind_are_combined(tmp_path: Path) -> None:
    image = guests.build(tmp_path, EVERY_KIND, flags=["-g"])
    lines = (tmp_path / "guest.S").read_text().splitlines()
    begin = lines.index("  movs r0, #2") + 1
    marks = {
        "begin": f"guest.S:{begin}",
        "written": "write:0x20000000",
        "works": "work_*",
        "back": "return:work_a,return:work_b",
    }
    words = [f"--mark={name}={place}" for name, place in marks.items()]
    exception = ["--mark", "entry.svcall", "--mark", "exit.svcall"]
    status, out, err = console.ticklab(
        *("observe", image, "--call", "outer", *words, *exception, "--no-model"),
        *("--external", "1", "--warm-up", "3", "--until", "instructions=5000", "--json", "-"),
    )
    assert status == 0, err
    document = fits("observation", json.loads(out))
    found = {record["span"]: record["instructions"] for record in document["records"]}
    assert {span: (each["min"], each["max"]) for span, each in found.items()} == {
        "begin → written": (13, 13),
        "written → works": (7, 7),
        "works → back": (3, 3),
        "back → entry.svcall": (2, 2),
        "entry.svcall → exit.svcall": (2, 2),
        "outer": (5, 15),
    }
    assert found["outer"]["p50"] == 10, "by depth: 15, 10 and 5"
    assert abs(found["outer"]["n"] + 3 - 3 * (found["works → back"]["n"] + 3)) <= 3
    assert document["end"]["reason"] == "instructions"
