# SPDX-License-Identifier: MIT
"""The crate `bulkhead`: its example runs, what would be unsound does not compile, and its numbers
are those of the headers."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import build
import examples
import pytest
import rust_for_arm

from ticklab import paths

BULKHEAD = paths.CHECKOUT / "bulkhead"
TARGET = "thumbv7em-none-eabihf"

_HEAD = """
#![no_std]
#![allow(dead_code, static_mut_refs)]
use bulkhead::{Guarded, Mutex, Queue, FOREVER};
const MUTEX: Mutex = unsafe { Mutex::new(1) };
const QUEUE: Queue<8> = unsafe { Queue::new(2) };
bulkhead::message! { pub struct Pair { a: u32, b: [u16; 2] } }
static PAIR: Guarded<Pair> = Guarded::new(MUTEX, Pair { a: 1, b: [2, 3] });
fn send<T: Send>(_: T) {}
"""
RIGHT = """
#[no_mangle] pub fn use_all() -> bulkhead::Result<u32> {
    let pair: Pair = QUEUE.receive(FOREVER)?;
    let mut guard = PAIR.lock(FOREVER)?;
    guard.a += pair.a;
    QUEUE.send(&*guard, 3)?;
    Ok(guard.a)
}
"""
# Wrong use, and the compiler's error.
WRONG = {
    "#[no_mangle] pub fn f() { QUEUE.send(&1u32, 0).ok(); }": "another message_bytes",
    "#[no_mangle] pub fn f() { QUEUE.send(&[1u8; 8], 0).ok(); }": "multiple of 4",
    "bulkhead::message! { pub struct Holes { a: u8, b: u32 } }": "padding",
    "bulkhead::message! { pub struct Truth { a: bool } }": "E0277",
    "pub fn f() { let text: Result<&str, _> = QUEUE.receive(FOREVER); }": "E0277",
    "pub fn f() { send(PAIR.lock(FOREVER)); }": "E0277",  # a guard stays in its thread
    "static BAD: Guarded<*const u8> = Guarded::new(MUTEX, core::ptr::null());": "E0277",
    "pub fn f() { MUTEX.unlock(); }": "E0599",  # only a guard releases the mutex
    "pub fn f() -> &'static u32 { &PAIR.lock(FOREVER).ok().unwrap().a }": "E0515",
    "const MADE: Mutex = Mutex::new(3);": "E0133",
    "pub fn f() { let g = { let own = Guarded::new(MUTEX, 1); own.lock(0) }; drop(g); }": "E0597",
}


def test_the_example_runs_beside_a_process_in_c(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rust = rust_for_arm.find(TARGET)
    for name, value in rust.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", f"{rust.cargo.parent}{os.pathsep}{os.environ['PATH']}")
    shutil.copytree(BULKHEAD / "rust", tmp_path / "rust")
    for name in ("console", "rust"):
        shutil.copytree(BULKHEAD / "examples" / name, tmp_path / "examples" / name)
    example = tmp_path / "examples" / "rust"
    options = ";".join(rust.options)
    text = (example / "CMakeLists.txt").read_text()
    changed = text.replace(f"TARGET {TARGET}", f"TARGET {TARGET} CARGO_OPTIONS {options}")
    if rust.options:
        (example / "CMakeLists.txt").write_text(changed)
    said = build.run([*build.emulator(), "-kernel", examples.build(example)])
    assert said == (example / "expected.txt").read_text().strip()


@pytest.fixture(scope="module")
def crate(tmp_path_factory: pytest.TempPathFactory) -> tuple[rust_for_arm.Rust, Path]:
    """Compiles the crate, to which the cases below are linked."""
    rust = rust_for_arm.find(TARGET)
    if not rust.has_target:
        pytest.skip(f"rustc itself has no core for {TARGET}")
    folder = tmp_path_factory.mktemp("crate")
    compiled = compile_rust(rust, folder, BULKHEAD / "rust/src/lib.rs", "--crate-name=bulkhead")
    assert compiled.returncode == 0, compiled.stderr
    return rust, folder


def compile_rust(
    rust: rust_for_arm.Rust, folder: Path, source: Path, *words: str
) -> subprocess.CompletedProcess[str]:
    command = [
        str(rust.rustc), "--edition=2021", f"--target={TARGET}", "--crate-type=rlib",
        "-Cpanic=abort", f"--out-dir={folder}", "-L", str(folder), *words, str(source),
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, check=False)


def use(crate: tuple[rust_for_arm.Rust, Path], text: str) -> subprocess.CompletedProcess[str]:
    rust, folder = crate
    source = folder / "case.rs"
    source.write_text(_HEAD + text)
    return compile_rust(rust, folder, source, "--extern=bulkhead")


def test_right_use_compiles(crate: tuple[rust_for_arm.Rust, Path]) -> None:
    compiled = use(crate, RIGHT)
    assert compiled.returncode == 0, compiled.stderr


@pytest.mark.parametrize(("text", "reason"), WRONG.items())
def test_wrong_use_does_not_compile(
    crate: tuple[rust_for_arm.Rust, Path], text: str, reason: str
) -> None:
    compiled = use(crate, text)
    assert compiled.returncode != 0
    assert reason in compiled.stderr


@pytest.mark.parametrize("name", ["rust", "examples/rust"])
def test_a_crate_is_formatted_and_locked(name: str) -> None:
    cargo = shutil.which("cargo")
    if cargo is None or shutil.which("rustfmt") is None:
        pytest.skip("no cargo, or no rustfmt")
    command = [cargo, "fmt", "--check"]
    formatted = subprocess.run(command, cwd=BULKHEAD / name, capture_output=True, text=True)
    assert formatted.returncode == 0, formatted.stdout
    assert name == "rust" or (BULKHEAD / name / "Cargo.lock").exists()


def test_the_numbers_of_methods_are_those_of_the_headers() -> None:
    header = (BULKHEAD / "include/bulkhead/methods.h").read_text()
    crate_text = (BULKHEAD / "rust/src/objects.rs").read_text()
    in_c = dict(re.findall(r"#define BULKHEAD_(\w+) (\d+)", header))
    in_rust = dict(re.findall(r"pub const (\w+): u32 = (\d+);", crate_text))
    assert len(in_rust) > 30
    assert {name: in_c[name] for name in in_rust} == in_rust


def test_the_report_of_a_fault_has_the_size_of_the_header() -> None:
    registers = (BULKHEAD / "arch/armv7-m/include/bulkhead/registers.h").read_text()
    fault = (BULKHEAD / "include/bulkhead/fault.h").read_text().split("struct bulkhead_fault {")[1]
    words = re.findall(r"uint32_t ([^;]+);", registers)
    count = sum(
        int((re.findall(r"\[(\d+)\]", each) or [len(each.split(","))])[0]) for each in words
    )
    assert f"registers: [u32; {count}]" in (BULKHEAD / "rust/src/objects.rs").read_text()
    assert len(re.findall(r"uint32_t \w+;", fault.split("};")[0])) == 5
