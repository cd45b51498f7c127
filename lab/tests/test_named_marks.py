# SPDX-License-Identifier: MIT
"""Tests marks of marks/ticklab.h and of the crate ticklab-mark: their cost, and how they are found
in an image."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import guests
import pytest
from console import ticklab

from ticklab import paths
from ticklab.bootstrap import rust
from ticklab.building import elf, program
from ticklab.description.architecture import cores

MARKS = paths.CHECKOUT / "marks"
# Source code with marks as firmware has them: around calls, in a loop, and in a function that is
# inlined.
SOURCE = """
#include "ticklab.h"
int sample(int);
void store(int);
volatile int port;
static void handle(int number) {
    TICKLAB_MARK("begin-1");
    int reading = sample(number);
    TICKLAB_MARK("sampled");
    store(reading * 3 + number);
    TICKLAB_MARK("end.1");
    port = reading;
}
void work(int count);
void work(int count) {
    for (int i = 0; i < count; i++) {
        TICKLAB_MARK("loop");
        handle(i);
        port = i;
    }
    TICKLAB_MARK("last");
    handle(count);
}
"""
COMPILERS = {
    "C": ("cortex-m4", "-x c -std=c99 -pedantic-errors"),
    "C++": ("cortex-m33f", "-x c++ -std=c++11 -fno-exceptions"),
    "RISC-V": ("ibex", "-x c"),
}
NAMES = {"begin-1", "sampled", "end.1", "loop", "last"}


def code(language: str, flags: str, folder: Path) -> tuple[int, set[str]]:
    """Returns the number of instructions of the object, and its symbols."""
    source, made = folder / "work.c", folder / "work.o"
    source.write_text(SOURCE)
    name, more = COMPILERS[language]
    core = cores()[name]
    words = [
        *program.compiler(core),
        *more.split(),
        *flags.split(),
        "-Wall",
        "-Werror",
        f"-I{MARKS}",
    ]
    subprocess.run([*words, "-c", source, "-o", made], check=True)
    triple = core.arch.compiler.triple

    def lines(tool: str, *words: str) -> list[str]:
        command = [f"{triple}-{tool}", *words, str(made)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    instructions = sum(":\t" in line for line in lines("objdump", "-d"))
    return instructions, {line.split()[-1] for line in lines("nm")}


@pytest.mark.parametrize("level", ["O2", "Os"])
@pytest.mark.parametrize("language", COMPILERS)
def test_a_mark_costs_no_instruction(language: str, level: str, tmp_path: Path) -> None:
    marked, symbols = code(language, f"-{level}", tmp_path)
    unmarked, others = code(language, f"-{level} -DTICKLAB_NO_MARKS", tmp_path)
    assert marked == unmarked > 10
    names = {name.split(".", 3)[3] for name in symbols if name.startswith("ticklab.mark.")}
    assert names == NAMES
    assert not any(name.startswith("ticklab") for name in others)


RUST = """
#![no_std]
#[cfg(marked)]
use ticklab_mark::mark;
#[cfg(not(marked))]
macro_rules! mark { ($name:literal) => {} }
#[inline(always)]
fn scaled(each: u32) -> u32 { mark!("scale-1"); each * 3 }
#[no_mangle]
pub extern "C" fn work(words: &mut [u32; 8]) -> u32 {
    mark!("begin");
    let mut sum = 0;
    for word in words.iter_mut() { sum += scaled(*word); mark!("loop.0"); *word = sum; }
    mark!("end");
    sum
}
"""


def test_a_mark_of_the_crate_changes_no_byte_of_the_code(tmp_path: Path) -> None:
    found = rust.find()
    assert found
    compiler = [
        Path(found.cargo).with_name("rustc"),
        "--edition=2021",
        "-Copt-level=3",
        "-Cpanic=abort",
    ]
    source = tmp_path / "work.rs"
    source.write_text(RUST)

    def run(*words: object) -> str:
        command = [str(word) for word in words]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env=dict(found.environment),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(*compiler, "--crate-type=lib", "--crate-name=ticklab_mark", "-Dwarnings",
        MARKS / "ticklab-mark/src/lib.rs")  # fmt: skip
    bytes_of = []
    for more in ((), ("--cfg=marked", "--extern=ticklab_mark=libticklab_mark.rlib")):
        words = ("--crate-type=lib", "--emit=obj", "--check-cfg=cfg(marked)", *more)
        run(*compiler, *words, "-Dwarnings", "-o", "work.o", source)
        run("objcopy", "-O", "binary", "--only-section=.text*", "work.o", "work.bin")
        bytes_of.append((tmp_path / "work.bin").read_bytes())
    assert len(bytes_of[0]) > 20
    assert bytes_of[0] == bytes_of[1]
    names = [line.split(".", 3)[3] for line in run("nm", "work.o").splitlines() if "mark." in line]
    assert set(names) == {"begin", "end", "loop.0", "scale-1"}
    assert names.count("loop.0") == 8, "each copy of an unrolled loop"


# Passes `begin`, 3 instructions, `end`, and 2 more; `twice` is at two places.
PASSING = (
    f'#include "{MARKS / "ticklab.h"}"\n'
    "function reset\n  nop\nagain:\n  TICKLAB_MARK begin-1\n  nop\n  TICKLAB_MARK twice\n  nop\n"
    "  TICKLAB_MARK twice\n  nop\n  TICKLAB_MARK end.x\n  nop\n  b again\nfunction handler\n  nop\n"
)


@pytest.fixture
def image(tmp_path: Path) -> Path:
    return guests.build(tmp_path, PASSING)


def test_marks_are_found_by_their_names(image: Path) -> None:
    words = ("--mark", "a=mark:begin-1", "--mark", "b=mark:end.x", "--until", "marks=50")
    status, out, err = ticklab("observe", image, *words, "--no-model", "--json", "-")
    assert status == 0, err
    (record,) = json.loads(out)["records"]
    assert (record["instructions"]["min"], record["instructions"]["max"]) == (3, 3)


def test_a_mark_at_several_places_is_passed_at_each(image: Path) -> None:
    words = ("--mark", "a=mark:twice", "--until", "marks=50", "--no-model", "--json", "-")
    status, out, err = ticklab("observe", image, *words)
    assert status == 0, err
    (record,) = json.loads(out)["records"]
    assert (record["instructions"]["min"], record["instructions"]["max"]) == (1, 4)


def test_a_mark_is_no_function(image: Path) -> None:
    """A label in a function must not hide the function's name."""
    found = elf.read(image)
    (again,) = (each.address for each in found.symbols if each.name == "again")
    assert found.symbol_at(again + 4) == "again+0x4"


def test_a_missing_mark_is_named(image: Path) -> None:
    status, _, err = ticklab("observe", image, "--mark", "a=mark:end.y")
    assert status == 1
    assert "no mark 'end.y'" in err
    assert "did you mean end.x?" in err


ENCODED = (
    "function reset\nagain:\n  bl _RNvCs35CFrAcmkDn_8readings6filter\n  bl _ZN6motion4stepEi\n"
    "  b again\nfunction _RNvCs35CFrAcmkDn_8readings6filter\n  nop\n  bx lr\n"
    "function _ZN6motion4stepEi\n  bx lr\nfunction handler\n  nop\n"
)


@pytest.mark.parametrize(
    ("call", "name"), [("readings::filter", "readings::filter"), ("*::filter", "…::filter")]
)
def test_functions_of_rust_and_c_plus_plus_have_their_names_of_the_source(
    call: str, name: str, tmp_path: Path
) -> None:
    image = guests.build(tmp_path, ENCODED)
    calls = ("--call", call, "--call", "step=motion::step")
    words = (*calls, "--until", "marks=20", "--no-model", "--json", "-")
    status, out, err = ticklab("observe", image, *words)
    assert status == 0, err
    document = json.loads(out)
    found = {each["span"]: each["instructions"]["max"] for each in document["records"]}
    assert found == {name: 2, "step": 1}
    assert {each["name"]: each["passes"] for each in document["marks"]} == {name: 20, "step": 20}
