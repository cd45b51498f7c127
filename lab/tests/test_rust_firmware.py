# SPDX-License-Identifier: MIT
"""Firmware of Embassy, RTIC and lilos, built from their crates as users build it, is observed,
profiled and attacked. lab/tests/firmware has the applications, and pins the crates.

The build needs Rust's `core` for Cortex-M3: of rustup's target, or built from the sources of a Rust
that has them, as Debian's packages cargo-web and rust-web-src do.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from console import ticklab

from ticklab import paths

pytestmark = pytest.mark.long

TARGET, BOARD = "thumbv7m-none-eabi", "lm3s6965evb"
FIRMWARE = Path(__file__).parent / "firmware"
KERNELS = {"embassy": "Embassy", "lilos": "lilos", "rtic": "RTIC"}


def cargo() -> tuple[list[str], Mapping[str, str]]:
    """Returns the command of a cargo that can build for the target, and its environment."""
    for program in cargos():
        answer = subprocess.run(
            [program.with_name("rustc"), "--print=sysroot"], capture_output=True, text=True
        )
        libraries = Path(answer.stdout.strip(), "lib", "rustlib")
        own = {"RUSTC": str(program.with_name("rustc"))}
        if (libraries / TARGET).exists():
            return [str(program), "build"], own
        if (libraries / "src/rust/library").exists():
            return [str(program), "build", "-Zbuild-std=core"], {**own, "RUSTC_BOOTSTRAP": "1"}
    pytest.skip(f"no Rust has core for {TARGET}: try 'rustup target add {TARGET}'")


def cargos() -> Iterator[Path]:
    for folder in (*os.environ["PATH"].split(os.pathsep), "/usr/bin"):
        if (found := Path(folder, "cargo")).exists():
            yield found


@pytest.fixture(scope="module", params=KERNELS)
def image(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    command, more = cargo()
    name = f"{request.param}-readings"
    linker = ("-Clinker=arm-none-eabi-ld", "-Clinker-flavor=ld", "-Clink-arg=-Tlink.x")
    flags = " ".join((*linker, f"-Clink-arg=-L{FIRMWARE}"))
    made = paths.home() / "rust-firmware"
    words = ("--locked", "--release", f"--target={TARGET}", f"--target-dir={made}", "-p", name)
    subprocess.run(
        [*command, *words], cwd=FIRMWARE, env={**os.environ, **more, "RUSTFLAGS": flags}, check=True
    )
    found = tmp_path_factory.mktemp("rust") / f"{request.param}.elf"
    shutil.copy(made / TARGET / "release" / name, found)
    return found


def test_its_kernel_functions_and_handlers_are_profiled(image: Path) -> None:
    words = ("--board", BOARD, "--instructions", "5000000", "--no-model", "--json", "-")
    status, out, err = ticklab("profile", image, *words)
    assert status == 0, err
    found = json.loads(out)
    assert found["kernel"] == KERNELS[image.stem]
    assert "SysTick" in [each["name"] for each in found["exceptions"]]
    functions = {each["name"]: each for each in found["functions"]}
    assert functions[f"{image.stem}_readings::filter"]["entries"] > 2
    assert not [name for name in functions if name.startswith(("_R", "_Z"))]


def test_its_function_is_observed_by_its_name_in_the_source(image: Path) -> None:
    call = f"filter={image.stem}_readings::filter"
    words = ("--board", BOARD, "--call", call, "--until", "marks=3", "--no-model", "--json", "-")
    status, out, err = ticklab("observe", image, *words)
    assert status == 0, err
    (record,) = json.loads(out)["records"]
    assert record["instructions"]["min"] == record["instructions"]["max"] > 3


def test_an_interrupt_is_pended_in_it(image: Path) -> None:
    """RTIC dispatches its software tasks by interrupt 0; the others enable none."""
    words = ("--board", BOARD, "--line", "0", "--from", f"{image.stem}_readings::filter")
    status, out, err = ticklab("inject", image, *words, "--json", "-")
    if image.stem != "rtic":
        assert (status, len(err.splitlines())) == (1, 1), err
        return
    assert status == 0, err
    found = json.loads(out)
    assert found["handler"] == "GPIOA"
    assert found["curve"]["instructions"][0] > 10, "the task runs in the handler of the interrupt"
