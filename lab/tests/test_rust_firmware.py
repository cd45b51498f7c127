# SPDX-License-Identifier: MIT
"""Tests `observe`, `profile` and hostile uses on firmware of Embassy, RTIC and lilos, built from
their crates as users build it. lab/tests/firmware has the applications, and pins the crates."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import rust_for_arm
from console import ticklab

from ticklab import paths

pytestmark = pytest.mark.long

TARGET, BOARD = "thumbv7m-none-eabi", "lm3s6965evb"
FIRMWARE = Path(__file__).parent / "firmware"
KERNELS = {"embassy": "Embassy", "lilos": "lilos", "rtic": "RTIC"}


@pytest.fixture(scope="module", params=KERNELS)
def image(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    rust = rust_for_arm.find(TARGET)
    name = f"{request.param}-readings"
    linker = ("-Clinker=arm-none-eabi-ld", "-Clinker-flavor=ld", "-Clink-arg=-Tlink.x")
    flags = "\x1f".join((*linker, f"-Clink-arg=-L{FIRMWARE}"))  # a path may have spaces
    made = paths.home() / "rust-firmware"
    words = ("--locked", "--release", f"--target={TARGET}", f"--target-dir={made}", "-p", name)
    subprocess.run(
        [rust.cargo, "build", *rust.options, *words],
        cwd=FIRMWARE,
        env={**os.environ, **rust.environment, "CARGO_ENCODED_RUSTFLAGS": flags},
        check=True,
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
    """RTIC dispatches its software tasks by interrupt 0; the firmware of Embassy and of lilos
    enables no interrupt."""
    words = ("--board", BOARD, "--line", "0", "--from", f"{image.stem}_readings::filter")
    status, out, err = ticklab("inject", image, *words, "--json", "-")
    if image.stem != "rtic":
        assert (status, len(err.splitlines())) == (1, 1), err
        return
    assert status == 0, err
    found = json.loads(out)
    assert found["handler"] == "GPIOA"
    assert found["curve"]["instructions"][0] > 10, "the task runs in the handler of the interrupt"
