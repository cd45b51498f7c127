# SPDX-License-Identifier: MIT
"""Tests the crate `bulkhead`: its example, and a test of the handles that the example does not use,
run on each instruction set; unsound code does not compile; its numbers are those of the C
headers."""

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
CORES = (build.CORTEX_M4F, build.CORTEX_M33F, build.RV32)
TEST = Path("test", "rust")
PROJECTS = (Path("examples", "rust"), TEST)

_HEAD = """
#![no_std]
#![allow(dead_code, static_mut_refs)]
use bulkhead::{Gate, Guarded, Lent, Log, Mutex, Policy, Queue, FOREVER};
const MUTEX: Mutex = unsafe { Mutex::new(1) };
const QUEUE: Queue<8> = unsafe { Queue::new(2) };
const LOG: Log = unsafe { Log::new(0, 3) };
static POLICIES: [Policy; 1] = [unsafe { Policy::new(3, 0, 1, 1, 1, 0, 0) }];
const GATE: Gate = unsafe { Gate::new(3) };
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
    bulkhead::log!(LOG, "100 %% of %u, %d, %c", guard.a, -3i8, 'x');
    bulkhead::log!(LOG, "none");
    let mut lent = [0u8; 5];
    GATE.call_lending([1, 2], Lent::ToWrite(&mut lent), 3)?;
    GATE.lease_read(1, &mut lent)?;
    GATE.lease_write(1, &lent)?;
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
    "pub fn f() { let o = [0]; GATE.call_lending([0; 2], Lent::ToWrite(&o), 0).ok(); }": "E0308",
    "pub fn f() { let mut o = [0]; let l = Lent::ToChange(&mut o); o = [1]; drop(l); }": "E0506",
    "const MADE: Mutex = Mutex::new(3);": "E0133",
    'pub fn f() { bulkhead::log!(LOG, "%u of %u", 1); }': "number of values differs",
    'pub fn f() { bulkhead::log!(LOG, "100 %"); }': "number of values differs",
    'pub fn f() { bulkhead::log!(LOG, "%u", 1u64); }': "E0277",
    'pub fn f() { bulkhead::log!(LOG, "%u%u%u%u%u", 1, 2, 3, 4, 5); }': "at most four",
    "pub fn f() { send(bulkhead::Supervisor::new(&POLICIES, 9)); }": "E0277",  # of its thread
    "pub fn f() { let g = { let own = Guarded::new(MUTEX, 1); own.lock(0) }; drop(g); }": "E0597",
}


@pytest.mark.parametrize(
    ("core", "project"),
    [
        # The example has less than the test, which runs on every core.
        pytest.param(core, project, id=f"{core.name}-{project}", marks=marks)
        for core in CORES
        for project in PROJECTS
        for marks in [pytest.mark.long if project != TEST and core != CORES[0] else ()]
    ],
)
def test_a_project_in_rust_and_c_runs(
    core: build.Core, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = str(core.described.rust_target)
    rust = rust_for_arm.find(target)
    for name, value in rust.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", f"{rust.cargo.parent}{os.pathsep}{os.environ['PATH']}")
    shutil.copytree(BULKHEAD / "rust", tmp_path / "rust")
    for name, folder in (("rust", project), ("console", Path("examples", "console"))):
        shutil.copytree(BULKHEAD / folder, tmp_path / "original" / name)
    (tmp_path / "moved").mkdir()
    example = examples.moved(tmp_path / "original" / "rust", core, tmp_path / "moved")
    options = ";".join(rust.options)
    text = (example / "CMakeLists.txt").read_text()
    changed = text.replace(f"TARGET {target}", f"TARGET {target} CARGO_OPTIONS {options}")
    if rust.options:
        (example / "CMakeLists.txt").write_text(changed)
    examples.require_expected(example, core)


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


@pytest.mark.parametrize("name", ["rust", "examples/rust", "test/rust"])
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


@pytest.mark.parametrize(("arch", "module"), [("armv7-m", "arm"), ("rv32", "riscv32")])
def test_the_report_of_a_fault_has_the_size_of_the_header(arch: str, module: str) -> None:
    registers = (BULKHEAD / f"arch/{arch}/include/bulkhead/registers.h").read_text()
    fault = (BULKHEAD / "include/bulkhead/fault.h").read_text().split("struct bulkhead_fault {")[1]
    members = ",".join(re.findall(r"uint32_t ([^;]+);", registers)).split(",")
    count = sum(int((re.findall(r"\[(\d+)\]", each) or [1])[0]) for each in members)
    text = (BULKHEAD / f"rust/src/svc/{module}.rs").read_text()
    assert f"REGISTERS: usize = {count};" in text
    assert len(re.findall(r"uint32_t \w+;", fault.split("};")[0])) == 5


def test_the_constants_are_those_of_the_headers() -> None:
    header = (BULKHEAD / "include/bulkhead/methods.h").read_text()
    for name, (file, constant) in {
        "MARKS_AT_ONCE": ("system", "MARKS_AT_ONCE"),
        "RIGHT_BYTES": ("svc/riscv32", "HANDLE_SCALE"),
    }.items():
        found = re.search(rf"#define BULKHEAD_{name} (\d+)", header)
        assert found
        text = (BULKHEAD / f"rust/src/{file}.rs").read_text()
        assert f"const {constant}: u32 = {found[1]};" in text
