# SPDX-License-Identifier: MIT
"""Tests kernels written in Rust: cargo builds them, provenance names what built them, and each
fault is one line with its remedy.

The kernel of most tests calls the one task of its scenario and depends on no crate. It needs
rustc's library for the core of the board, which the set-up installs if rustup is here.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import walkthrough
from test_build import CONFIG, SCENARIO, SUITE

from ticklab import building, cli, paths
from ticklab.bootstrap import rust, steps, tables
from ticklab.bootstrap.step import Log
from ticklab.building import elf, footprint, rust_library
from ticklab.commands import test
from ticklab.description import catalogue
from ticklab.description.kernel import read_kernel
from ticklab.description.model import Case, Image, Variant
from ticklab.description.suite import read_suite
from ticklab.errors import TicklabError, UsageError
from ticklab.measurement import cases, support

TARGET = "thumbv7em-none-eabihf"

KERNEL = """\
[kernel]
name = "oxide"
title = "Oxide"
version = "1"
services = []
priorities = 2
sources = ["port.c"]
includes = ["."]
[kernel.rust]
manifest = "Cargo.toml"
[core.cortex-m4f]
rust_features = ["twice"]
[config.default]
header = "config.h"
reason = "there is one"
"""
PORT = """\
#include <bench/port.h>
_Noreturn void run(void (*entry)(void));
void bench_port_start(void) {
    run(bench_scenario.tasks->entry);
}
"""
MANIFEST = """\
[package]
name = "oxide-library"
version = "0.0.0"
edition = "2021"
[workspace]
[lib]
path = "lib.rs"
crate-type = ["staticlib"]
[features]
twice = []
[profile.release]
panic = "abort"
debug = true
"""
LOCK = """\
version = 3
[[package]]
name = "oxide-library"
version = "0.0.0"
"""
# The text of a panic names the source file: the image must not depend on where it is.
LIBRARY = """\
#![no_std]
#[inline(never)]
fn step(entry: extern "C" fn(), left: u32) -> u32 {
    entry();
    left.checked_sub(1).expect("no step is left")
}
#[no_mangle]
extern "C" fn run(entry: extern "C" fn()) -> ! {
    let mut left = if cfg!(feature = "twice") { 2_000 } else { 1_000 };
    loop {
        left = step(entry, left);
    }
}
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
"""


pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Installs rustc's library for the core, as the set-up does."""
    log = Log(tmp_path_factory.mktemp("log") / "targets.log")
    try:
        rust.provide_targets(log, rust.provide(log), [TARGET])
    except TicklabError as error:
        pytest.skip(str(error))


def case_in(folder: Path) -> Case:
    folder.mkdir(parents=True)
    texts = {"kernel.toml": KERNEL, "port.c": PORT, "config.h": CONFIG, "Cargo.toml": MANIFEST,
             "Cargo.lock": LOCK, "lib.rs": LIBRARY}  # fmt: skip
    for name, text in {**texts, "suite.toml": SUITE, "once.c": SCENARIO}.items():
        (folder / name).write_text(text)
    kernel = read_kernel(folder)
    board = catalogue.find_board("mps2-an386")
    variant = Variant(kernel, kernel.configs["default"], board, "O2", board.clock_hz)
    return Case(variant, read_suite(folder).scenarios[0])


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return case_in(tmp_path / "a kernel")


def built(case: Case) -> Image | TicklabError:
    (result,) = building.build([case], building.find_toolchain())
    return result


def refused(case: Case) -> str:
    result = built(case)
    assert isinstance(result, TicklabError)
    assert "\n" not in str(result)
    return str(result)


def crate_of(case: Case) -> Path:
    assert case.variant.kernel.rust
    return case.variant.kernel.rust


@pytest.mark.usefixtures("target")
def test_a_kernel_in_rust_is_linked_and_its_provenance_says_what_built_it(
    case: Case, tmp_path: Path, home: Path
) -> None:
    image = built(case)
    assert isinstance(image, Image), image
    assert any("step" in symbol.name for symbol in elf.read(image.path).symbols)
    found = image.provenance["rust"]
    assert found["compiler"].startswith("rustc 1.")
    assert "LLVM" in found["compiler"]
    assert found["target"] == TARGET
    assert found["flags"] == ["-Ctarget-cpu=cortex-m4", "-Copt-level=2"]
    assert found["features"] == ["twice"]
    assert found["profile"] == {"panic": "abort", "debug": True}
    assert str(tmp_path) not in str(image.provenance)
    parts = footprint.measure_image(image.path, footprint.owner_by_folder)
    assert parts[footprint.Owner.KERNEL].code > 0

    elsewhere = built(case_in(tmp_path / "another place" / "kernel"))
    assert isinstance(elsewhere, Image), elsewhere
    assert elsewhere.sha256 == image.sha256
    plain = built(case.varied(kernel=replace(case.variant.kernel, by_core={})))
    assert isinstance(plain, Image), plain
    assert plain.sha256 != image.sha256
    assert plain.provenance["rust"]["features"] == []


@pytest.mark.usefixtures("target")
def test_a_changed_source_is_built_again_and_a_fault_in_it_is_one_line(case: Case) -> None:
    first = built(case)
    source = crate_of(case) / "lib.rs"
    source.write_text(LIBRARY.replace("2_000", "3_000"))
    second = built(case)
    assert isinstance(first, Image)
    assert isinstance(second, Image)
    assert first.sha256 != second.sha256
    source.write_text(LIBRARY.replace("left: u32", "left: u23"))
    assert "u23" in refused(case)


@pytest.mark.usefixtures("target")
def test_a_lock_that_does_not_fit_is_named_with_the_remedy(case: Case) -> None:
    manifest = crate_of(case) / "Cargo.toml"
    manifest.write_text(MANIFEST.replace('"0.0.0"', '"0.0.1"'))
    said = refused(case)
    assert "Cargo.lock" in said
    assert "cargo update" in said


@pytest.mark.usefixtures("target")
def test_a_crate_that_is_not_here_is_named_with_the_remedy(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manifest and the lock file are those of a real kernel, but cargo's store of crates is
    empty."""
    real = paths.CHECKOUT / "kernels" / "freertos-in-rust"
    folder = crate_of(case)
    for name in ("Cargo.toml", "Cargo.lock", "src"):
        copy = shutil.copytree if (real / name).is_dir() else shutil.copy
        copy(real / name, folder / name)
    found = rust.find()
    monkeypatch.setattr(rust, "find", lambda: found)
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "no crates"))
    said = refused(case)
    assert "is not on this machine" in said
    assert "cargo fetch --locked" in said


def test_a_missing_target_and_a_missing_rust_are_named(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rust, "has_target", lambda found, target: False)
    rust_library._read.cache_clear()
    assert f"rustup target add {TARGET}" in refused(case)
    rust_library._read.cache_clear()
    monkeypatch.setattr(rust, "find", lambda: None)
    assert "no Rust" in refused(case)


def test_a_crate_without_a_lock_is_refused(case: Case) -> None:
    (crate_of(case) / "Cargo.lock").unlink()
    with pytest.raises(UsageError, match=r"rust.*manifest.*no Cargo.lock.*generate-lockfile"):
        read_kernel(case.variant.kernel.folder)


def test_a_scenario_with_more_priorities_is_unsupported(case: Case) -> None:
    many = replace(case, scenario=replace(case.scenario, priorities=3))
    assert support.unsupported_reason(case) is None
    assert support.unsupported_reason(many) == "oxide has 2 priorities for tasks, not 3"


def test_only_a_kernel_that_is_named_needs_its_crates() -> None:
    board = ["mps2-an386"]
    assert "rust-freertos-in-rust" in tables.needs(board, ["freertos-in-rust/default"])
    assert not [name for name in tables.needs(board) if name.startswith("rust-")]
    assert "rust-freertos-in-rust" in [step.name for step in steps.STEPS]
    answers = {words: cli.parser().parse_args(words.split()) for words in ("test", "test --long")}
    long = {words for words, each in answers.items() if "rust-freertos-in-rust" in test.needs(each)}
    assert long == {"test --long"}
    choice = cases.CaseChoice(boards=board, suites=["thread-metric"], optimise="O2")
    named = {each.kernel.name for each in cases.variants(choice)}
    assert "freertos-in-rust" not in named
    chosen = cases.variants(replace(choice, kernels=["freertos-in-rust"]))
    assert [each.config.name for each in chosen] == ["default"]


@pytest.mark.usefixtures("target")
def test_the_guide_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TICKLAB_HOME")
    copy = walkthrough.workspace(tmp_path)
    guide = paths.CHECKOUT / "docs" / "how-to" / "port-a-rust-kernel.md"
    assert walkthrough.execute(guide, copy) == 3
