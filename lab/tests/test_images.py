# SPDX-License-Identifier: MIT
"""Tests `run --image`: images that nobody ported are measured by a recipe, with the real compiler
and QEMU."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import guests
import pytest
import unported_images
from console import ticklab
from elftools.elf.elffile import ELFFile

from ticklab import building, paths
from ticklab.building import elf
from ticklab.description import catalogue, recipe
from ticklab.description.model import Case, Image, Sampled, Variant
from ticklab.documents import cells
from ticklab.documents.baseline import Figure
from ticklab.errors import UsageError
from ticklab.explain import disassembly, only_run
from ticklab.measurement import images, observation
from ticklab.targets.protocol import Cancel, Observation
from ticklab.targets.qemu import Qemu

BOARD = catalogue.find_board("mps2-an386")
PROFILE = catalogue.find_profile("zero-wait")
DOCUMENT = paths.CHECKOUT / "docs/how-to/measure-an-image.md"


def ported(scenario: str) -> Case:
    kernel = catalogue.find_kernel("freertos")
    suite = catalogue.find_suite("thread-metric")
    (found,) = (each for each in suite.scenarios if each.name == scenario)
    return Case(Variant(kernel, kernel.configs["default"], BOARD, "O2", BOARD.clock_hz), found)


def built(case: Case) -> Image:
    (image,) = building.build([case], building.find_toolchain())
    assert isinstance(image, Image), image
    return image


def measured(case: Case, image: Image) -> Sampled:
    target = Qemu(paths.plugin())
    (record,) = observation.take(case, image, PROFILE, target, Cancel()).records
    assert isinstance(record.result, Sampled), record.reason
    return record.result


def cell(result: Sampled) -> str:
    """Returns the cell that a table of the documents has for this result: instructions and
    cycles."""
    assert result.instructions
    assert result.cycles
    low, high = result.cycles.low.mean, result.cycles.high.mean
    return cells.both([Figure(result.instructions.mean, 0, None, 0, low, high, "")], [], "")


@pytest.mark.parametrize("scenario", unported_images.COUNTERS)
def test_an_image_has_the_figures_of_its_port(scenario: str, tmp_path: Path) -> None:
    """The marks of the port are one or two instructions before the write of the counter, so a
    sample of the image is the same loop, from another instruction on."""
    case = ported(scenario)
    image = built(case)
    path = unported_images.make(image.path, scenario, tmp_path / "firmware.elf")
    (other,) = images.expand(images.ImageChoice([path], recipe.DEFAULT, [BOARD.name], [], None))
    assert other.scenario.name == scenario
    ours, theirs = measured(case, image), measured(other, images.describe(other))
    assert theirs.score_30s is None
    assert ours.instructions
    assert theirs.instructions
    assert ours.cycles
    assert theirs.cycles
    assert theirs.instructions.p50 == ours.instructions.p50
    assert theirs.instructions.mean == pytest.approx(ours.instructions.mean, rel=0.001)
    assert theirs.exceptions == pytest.approx(ours.exceptions, rel=0.001)
    assert theirs.cycles.low.p50 == ours.cycles.low.p50
    assert theirs.cycles.high.p50 == ours.cycles.high.p50
    assert theirs.deterministic == ours.deterministic
    row = f"| {scenario} | {cell(ours)} | {cell(theirs)} |"
    assert row in DOCUMENT.read_text().splitlines()


# --- The command ------------------------------------------------------------------------------


# Calls `work` for ever: 4 instructions from its begin to its return, and 203 more to the next
# begin, so that a log has few records.
CALLING = (
    "function reset\n  ldr r2, =0x20000000\nagain:\n  bl work\n  movs r3, #100\n"
    "pause:\n  subs r3, #1\n  bne pause\n  b again\n"
    "function work\n  adds r1, #1\n  nop\n  str r1, [r2]\n  bx lr\n"
    "function handler\n  b handler\n.ltorg\n"
)
RECIPE = """
[recipe]
name = "mine"
title = "Two ways to measure a function"

[[scenario]]
name = "work"
plan = { warm_up = 2, samples = 50 }
[scenario.marks]
write = "write:0x20000000"
back = "return:work"
[scenario.span.call]
call = "work"
[scenario.span.period]
each = ["write"]
[scenario.span.after]
from = "write"
to = "back"
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run of an image under a recipe of a user, and the image beside it."""
    folder = tmp_path_factory.mktemp("images")
    guests.build(folder, CALLING).rename(folder / "app.elf")
    (folder / "mine.toml").write_text(RECIPE)
    status, _, err = ticklab(*run_of(folder))
    assert status == 0, err
    return folder


def run_of(folder: Path) -> list[object]:
    words = ["run", "--image", folder / "app.elf", "--recipe", folder / "mine.toml"]
    return [*words, "--store", folder / "store", "--no-model", "--no-why", "--json", "-"]


def test_a_recipe_measures_what_it_names(store: Path) -> None:
    status, out, err = ticklab(*run_of(store))
    assert status == 0, err
    document = json.loads(out)
    found = {record["span"]: record for record in document["records"]}
    lengths = {span: record["instructions"] for span, record in found.items()}
    assert {span: (each["min"], each["max"]) for span, each in lengths.items()} == {
        "call": (4, 4),
        "period": (207, 207),
        "after": (2, 2),
    }
    assert {record["kernel"] for record in found.values()} == {"app.elf"}
    assert {record["suite"] for record in found.values()} == {"mine"}
    assert "found 1 in the store" in err, "the measurement is stored"
    assert "read 1 image and built none, observed 0" in err


def test_an_image_that_changes_while_it_is_measured_has_no_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = guests.build(tmp_path, CALLING)
    file = tmp_path / "mine.toml"
    file.write_text(RECIPE)
    words = ("--no-model", "--json", "-")
    measuring = ("run", "--image", image, "--recipe", file, "--store", tmp_path / "store", *words)
    observing = ("observe", image, "--call", "work", *words)
    profiling = ("profile", image, "--instructions", "1000", *words)
    observe = Qemu.observe

    def changing(self: Qemu, path: Path, *rest: Any) -> Observation:
        seen = observe(self, path, *rest)
        image.write_bytes(image.read_bytes() + b"\0")
        return seen

    with monkeypatch.context() as patch:
        patch.setattr(Qemu, "observe", changing)
        for command in (measuring, observing):
            status, out, err = ticklab(*command)
            assert (status, "changed while it was measured" in out + err) == (1, True), out + err
    follow = only_run.follow
    with monkeypatch.context() as patch:
        patch.setattr(only_run, "follow", lambda *a: (follow(*a), image.write_bytes(b""))[0])
        status, out, err = ticklab(*profiling)
        assert (status, out) == (1, ""), out
        assert "changed while it was measured" in err
    guests.build(tmp_path, CALLING)
    assert "found 0 in the store" in ticklab(*measuring)[2]


def test_records_of_an_image_are_shown_and_compared(store: Path) -> None:
    folder = store / "store"
    assert "app.elf" in ticklab("show", "latest", "--store", folder)[1]
    status, out, err = ticklab("compare", "latest", "latest", "--store", folder)
    assert status == 0, err
    assert "period" in out
    status, out, err = ticklab("explain", "latest", "--span", "call", "--store", folder)
    assert status == 0, err
    assert "work" in out
    assert "commit" not in out  # the folder of the image is in no repository
    status, out, err = ticklab("history", "app.elf", "--store", folder)
    assert status == 0, err
    assert "unknown" not in out


def test_an_image_is_gated(store: Path) -> None:
    """The gate measures a rebuilt image of the same name, with the recipe of the baseline's run."""
    folder, baseline = store / "store", store / "base.json"
    status, _, err = ticklab("baseline", "save", baseline, "--store", folder)
    assert status == 0, err
    gate = ("gate", "--baseline", baseline, "--store", folder)
    assert ticklab(*gate)[0] == 0
    image = (store / "app.elf").read_bytes()
    guests.build(store / "slower", CALLING.replace("  nop\n", "  nop\n  nop\n")).rename(
        store / "app.elf"
    )
    status, out, err = ticklab(*gate)
    (store / "app.elf").write_bytes(image)
    assert status == 3, err
    assert "instructions 4 → 5" in out
    assert "work +1 instructions" in out


def test_a_report_of_an_image_is_written(store: Path) -> None:
    page = store / "report.html"
    status, _, err = ticklab("report", "latest", "-o", page, "--store", store / "store")
    assert status == 0, err
    assert "app.elf" in page.read_text()


@pytest.mark.parametrize("form", ["binary", "ihex"])
def test_an_image_without_an_elf_header_is_measured_by_addresses(form: str, tmp_path: Path) -> None:
    image = guests.build(tmp_path, CALLING)
    (work,) = (each.address for each in elf.read(image).symbols if each.name == "work")
    raw = tmp_path / ("app.bin" if form == "binary" else "app.hex")
    subprocess.run(["arm-none-eabi-objcopy", "-O", form, str(image), str(raw)], check=True)
    word = f"{raw}@0x0" if form == "binary" else raw
    marks = ("--call", f"work={work:#x}", "--until", "marks=20", "--no-model", "--json", "-")
    status, out, err = ticklab("observe", word, *marks)
    assert status == 0, err
    (record,) = json.loads(out)["records"]
    assert (record["instructions"]["min"], record["instructions"]["max"]) == (4, 4)


def hexadecimal(address: int, kind: int, data: bytes = bytes(16)) -> str:
    """Returns a record (line) of an Intel HEX file."""
    record = bytes([len(data), *address.to_bytes(2, "big"), kind]) + data
    return f":{(record + bytes([-sum(record) & 255])).hex().upper()}"


@pytest.mark.parametrize(
    ("word", "status", "reason"),
    [
        ("app.bin", 2, "has no address; write"),
        ("app.bin@0x1000", 1, "has no table of vectors at 0x0"),
        ("gone.bin@0", 1, "No such file"),
        ("bad.hex", 1, "the image cannot be converted"),
        ("far.hex", 1, "takes 4,095 MB of addresses; the limit is 64 MB"),
        ("twice.hex", 1, "two values for address 0x8"),
    ],
)
def test_raw_images_that_do_not_fit_are_refused(
    word: str, status: int, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "app.bin").write_bytes(bytes(64))
    (tmp_path / "bad.hex").write_text(":0000\n")
    far, twice = (hexadecimal(0, 4, b"\xff\xff"), hexadecimal(0, 0)), (hexadecimal(8, 0),)
    for name, records in (("far", far), ("twice", twice)):
        lines = [hexadecimal(0, 0), *records, hexadecimal(0, 1, b"")]
        (tmp_path / f"{name}.hex").write_text("\n".join(lines))
    found, out, err = ticklab("observe", tmp_path / word, "--mark", "a=0x10")
    assert (found, out) == (status, ""), err
    assert reason in err
    assert len(err.splitlines()) == 1


# --- Images that are refused --------------------------------------------------------------------

COUNTED = ".pushsection .bss\n.global tm_message_processing_counter\n" + (
    ".type tm_message_processing_counter, %object\ntm_message_processing_counter: .space 4\n"
    ".popsection\n"
)
# Guests that do not do their work. The run of each ends with status 1 and one line with this
# reason.
HOSTILE = {
    "locks up": (guests.LOCKUP, "lockup"),
    "sleeps for ever": (guests.ASLEEP, "hang"),
    "never counts": (guests.UNMARKED, "mark 'iteration.0' was never passed"),
    "ends at once": (guests.LEAVING, "mark 'iteration.0' was never passed"),
    "floods the console": (guests.FLOOD, "flooded its console"),
    "writes its own code": (
        "function reset\n  ldr r0, =0x1000\n  ldr r1, =0xdede\n  ldr r2, =0x1001\nagain:\n"
        "  strh r1, [r0]\n  blx r2\n  b again\nfunction handler\n  udf #1\n.ltorg\n",
        "lockup",
    ),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_a_hostile_image_gets_one_line_and_status_1(how: str, tmp_path: Path) -> None:
    source, reason = HOSTILE[how]
    image = guests.build(tmp_path, source.replace("  mark tick\n", "") + COUNTED)
    words = ("run", "--image", image, "--store", tmp_path / "store", "--no-model", "--json", "-")
    status, out, err = ticklab(*words)
    assert status == 1, err
    (record,) = json.loads(out)["records"]
    assert record["status"] == "fail"
    assert reason in record["reason"]
    assert "\n" not in record["reason"]
    assert "Traceback" not in err


def test_a_name_that_is_no_text_is_shown_with_a_sign_for_it(tmp_path: Path) -> None:
    image = guests.build(tmp_path, CALLING)
    image.write_bytes(image.read_bytes().replace(b"\0work\0", b"\0w\x9brk\0"))
    status, out, err = ticklab("profile", image, "--instructions", "5000", "--no-model")
    assert (status, err) == (0, "")
    assert "w\ufffdrk" in out
    assert any("w\ufffdrk" in text for text in disassembly.read(image).values())


def two_segments(whole: bytes) -> bytes:
    """Returns an image whose first segment is listed twice. The new table of segments is at the end
    of the file."""
    table, entry = len(whole), whole[52:84]
    return (
        whole[:28]
        + table.to_bytes(4, "little")
        + whole[32:44]
        + b"\x02\x00"
        + whole[46:]
        + 2 * entry
    )


def test_an_image_that_lies_about_itself_is_refused_in_one_line(tmp_path: Path) -> None:
    image = guests.build(tmp_path, guests.UNMARKED + COUNTED)
    whole = image.read_bytes()
    lies = {
        "truncated": whole[: len(whole) // 2],
        "too long": whole[:32] + b"\xff\xff\xff\x7f" + whole[36:],
        "of too many segments": whole[:44] + b"\xff\xff" + whole[46:],
        "of a segment of 4 GB": whole[:72] + b"\xff\xff\xff\xff" + whole[76:],
        "of a segment of 1 GB": whole[:72] + b"\x00\x00\x00\x40" + whole[76:],
        "of a segment in less memory": whole[:72] + bytes(4) + whole[76:],
        "of sections of no size": whole[:46] + bytes(2) + whole[48:],
        "of two segments in one place": two_segments(whole),
        "of 64 bits": whole[:4] + b"\x02" + whole[5:],
        "big-endian": whole[:5] + b"\x02" + whole[6:],
        "of another version": whole[:6] + b"\x02" + whole[7:],
        "of another machine": whole[:18] + b"\x3e\x00" + whole[20:],
        "text": b"not an image\n",
    }
    for lie, content in lies.items():
        (tmp_path / "lie.elf").write_bytes(content)
        image = tmp_path / "lie.elf"
        for words in (
            ("run", "--image", image, "--store", tmp_path / "store"),
            ("observe", image, "--mark", "a=reset"),
            ("profile", image),
            ("inject", image, "--line", "0", "--from", "reset"),
        ):
            status, out, err = ticklab(*words)
            assert (status, out) == (1, ""), (lie, words)
            assert len(err.splitlines()) == 1, err
            assert "lie.elf" in err, lie
            assert not re.search("died|disassemble", err), err


@pytest.mark.parametrize("command", ["observe", "profile", "run"])
def test_an_image_that_loads_nothing_where_the_core_starts_is_refused(
    command: str, tmp_path: Path
) -> None:
    whole = guests.build(tmp_path, guests.UNMARKED + COUNTED).read_bytes()
    lies = {
        "no segments": whole[:44] + bytes(2) + whole[46:],
        "a segment at the last addresses": whole[:60] + b"\xf0\xff\xff\xff" * 2 + whole[68:],
    }
    for lie, content in lies.items():
        (tmp_path / "lie.elf").write_bytes(content)
        words = {
            "observe": ("observe", tmp_path / "lie.elf", "--mark", "a=reset"),
            "profile": ("profile", tmp_path / "lie.elf"),
            "run": ("run", "--image", tmp_path / "lie.elf", "--store", tmp_path / "store"),
        }[command]
        status, out, err = ticklab(*words, "--no-model")
        assert (status, out) == (1, ""), lie
        assert "no table of vectors at 0x0" in err
        assert len(err.splitlines()) == 1, err


@pytest.mark.parametrize("fill", [0x00, 0x01, 0xFF])
@pytest.mark.parametrize("section", [".debug_info", ".debug_abbrev", ".debug_line"])
def test_damaged_debug_information_is_one_line_at_most(
    section: str, fill: int, tmp_path: Path
) -> None:
    """`observe` reads debug information only for the name of the compiler, and `profile` only for
    source lines."""
    image = guests.build(tmp_path, CALLING, flags=["-g"])
    with image.open("rb") as stream:
        part = ELFFile(stream).get_section_by_name(section)
        assert part
        begin, size = part["sh_offset"], part["sh_size"]
    content = bytearray(image.read_bytes())
    content[begin : begin + size] = bytes([fill]) * size
    image.write_bytes(content)
    words = ("--call", "work", "--until", "marks=20", "--no-model")
    assert ticklab("observe", image, *words)[0] == 0
    status, _, err = ticklab("profile", image, "--instructions", "5000", "--no-model")
    assert status == 1
    assert len(err.splitlines()) == 1
    assert "guest.elf: image: cannot read its debug information" in err


def test_an_image_without_the_recipes_symbols_is_refused(tmp_path: Path) -> None:
    image = guests.build(tmp_path, guests.UNMARKED)
    status, out, err = ticklab("run", "--image", image, "--store", tmp_path / "store")
    assert (status, out) == (1, "")
    assert "no scenario of recipe thread-metric fits" in err
    assert "give --recipe FILE" in err


@pytest.mark.parametrize(
    "words", ["--kernel freertos", "--optimise Os", "--suite services", "--cflags=-g"]
)
def test_options_of_builds_do_not_fit_an_image(words: str, tmp_path: Path) -> None:
    status, _, err = ticklab("run", "--image", tmp_path / "x.elf", *words.split())
    assert status == 2
    assert "an image is measured as it is" in err


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('each = ["write"]', 'each = ["wrote"]', "names mark 'wrote'"),
        ('name = "work"', 'name = "work"\nfile = "x.c"', "file is no key"),
        ("[scenario.marks]", "[scenario.mark]", "mark is no key; did you mean marks"),
        ('call = "work"', 'call = "work"\nfrom = "write"', "call cannot be combined with marks"),
    ],
)
def test_a_mistake_in_a_recipe_is_named(old: str, new: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(RECIPE.replace(old, new, 1))
    with pytest.raises(UsageError, match=reason):
        recipe.find(str(file))


def test_two_images_of_one_name_are_refused(tmp_path: Path) -> None:
    choice = images.ImageChoice(
        [tmp_path / "a/x.elf", tmp_path / "b/x.elf"], "thread-metric", [], [], 1
    )
    with pytest.raises(UsageError, match=r"two images are called 'x\.elf'"):
        images.expand(choice)


def test_the_recipes_of_the_checkout_fit_their_suites() -> None:
    found = recipe.find(recipe.DEFAULT)
    assert [each.scenario.name for each in found.candidates] == list(unported_images.COUNTERS)
    suite = {each.name: each for each in catalogue.find_suite("thread-metric").scenarios}
    for candidate in found.candidates:
        one, of_suite = candidate.scenario, suite[candidate.scenario.name]
        assert (one.spans, one.plan) == (of_suite.spans, of_suite.plan)
        assert replace(one, watch=None).threads == of_suite.threads
