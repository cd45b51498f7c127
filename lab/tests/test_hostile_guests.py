# SPDX-License-Identifier: MIT
"""Tests guests that try to access the host: files and programs by semihosting, and the terminal by
control characters on the console and in names of symbols."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import guests
import pytest

from ticklab import paths
from ticklab.analysis.checks import end_reason
from ticklab.building import program
from ticklab.description import catalogue
from ticklab.description.architecture import cores
from ticklab.description.model import End, Span
from ticklab.explain import second_run
from ticklab.explain.second_run import About
from ticklab.targets.keeper import Keeper
from ticklab.targets.protocol import Cancel, until_instructions
from ticklab.targets.qemu import Qemu

BLOCK = "block: .word path, size, {mode}, other, size_of_other\n"
# Requests of semihosting: the number of the operation, its parameters, and the text after the block
# of parameters.
OPERATIONS = {
    "open": (0x01, "path, 4, size"),  # mode 4: "w"
    "open to read": (0x01, "path, 0, size"),
    "remove": (0x0E, "path, size"),
    "rename": (0x0F, "path, size, other, size_of_other"),
    "run a program": (0x12, "command, size_of_command"),
}
GUEST = (
    "function reset\n  mark tick\n  nop\nfunction ask\n  ldr r1, =block\n  movs r0, #{operation}\n"
    "  bkpt 0xab\nagain:\n  mark tick\n  nop\n  b again\nfunction handler\n  b handler\n"
    ".balign 4\nblock: .word {parameters}\n"
    'path: .asciz "{folder}/victim"\n.set size, . - path - 1\n'
    'other: .asciz "{folder}/other"\n.set size_of_other, . - other - 1\n'
    'command: .asciz "touch {folder}/other"\n.set size_of_command, . - command - 1\n'
    ".balign 4\n.ltorg\n"
)
BOARD = catalogue.find_board("mps2-an386")
PLAN = until_instructions(BOARD, 10_000)


def hostile(folder: Path, what: str) -> Path:
    operation, parameters = OPERATIONS[what]
    (folder / "victim").write_text("kept")
    source = GUEST.format(operation=operation, parameters=parameters, folder=folder)
    return guests.build(folder / "image", source)


def untouched(folder: Path) -> bool:
    names = {entry.name for entry in folder.iterdir()}
    return names == {"victim", "image"} and (folder / "victim").read_text() == "kept"


@pytest.mark.parametrize("what", OPERATIONS)
def test_a_guest_changes_nothing_of_the_host(what: str, tmp_path: Path) -> None:
    seen = Qemu(paths.plugin()).observe(hostile(tmp_path, what), PLAN, Cancel())
    assert untouched(tmp_path)
    assert seen.ending.end is End.REFUSED
    path = "" if what == "run a program" else f" '{tmp_path}/victim'"
    tried = f"the guest tried to {what.removesuffix(' to read')}{path} on the host, by semihosting"
    assert tried in end_reason(seen.ending)


def test_an_explanation_does_not_let_a_guest_out(tmp_path: Path) -> None:
    image, runs = (
        hostile(tmp_path, "rename"),
        Keeper(Qemu(paths.plugin()), tmp_path / "image" / "log"),
    )
    seen = runs.observe(image, PLAN, Cancel())
    assert (seen.ending.end, seen.ending.symbol) == (End.REFUSED, "ask+0x4")
    assert seen.log
    about = About((Span("a", (seen.log.marks[0],)),), None, 0, 25_000_000, None)
    second_run.explain(second_run.of(runs, image, about), about.spans)
    assert untouched(tmp_path)


def ticklab(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parents[1] / "src"),
        "TICKLAB_HOME": str(paths.home()),
    }
    command = [sys.executable, "-P", "-m", "ticklab", *words]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("what", OPERATIONS)
def test_observe_says_what_a_guest_tried(what: str, tmp_path: Path) -> None:
    image = hostile(tmp_path, what)
    done = ticklab(tmp_path, "observe", str(image), "--mark", "a=again", "--no-model")
    assert (done.returncode, done.stdout) == (1, "")
    assert "the guest tried to" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert untouched(tmp_path)


# A prebuilt library of a kernel without source.
LIBRARY = """
void prebuilt_part(void) {
    static const char path[] = "%s/victim";
    static const struct {
        const char *path;
        int mode, size;
    } block = {path, 4, sizeof path - 1};
    register int r0 __asm__("r0") = 1;
    register const void *r1 __asm__("r1") = &block;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}
"""
PORT = """
#include <bench/port.h>
#undef bench_task_yield
void honest_bench_task_yield(void);
void prebuilt_part(void);
void bench_task_yield(void) {
    prebuilt_part();
    honest_bench_task_yield();
}
"""
FIXTURE = paths.CHECKOUT / "lab" / "tests" / "fixtures" / "lost-at-one-instruction" / "kernel.toml"


def prebuilt(folder: Path) -> Path:
    """FreeRTOS with a library in it that opens a file of the host at each yield."""
    folder.mkdir()
    text = FIXTURE.read_text().replace("../../../../", f"{paths.CHECKOUT}/")
    text = re.sub(r"services = .*", 'services = ["yield"]\nlibraries = ["libpart.a"]', text)
    text = re.sub(r"(?m)^(bench_sem|Interrupt0).*\n", "", text).replace("lock.c", "yield.c")
    text = text.replace(
        "[kernel.defines]\n", '[kernel.defines]\nbench_task_yield = "honest_bench_task_yield"\n'
    )
    (folder / "kernel.toml").write_text(text)
    (folder / "yield.c").write_text(PORT)
    (folder / "part.c").write_text(LIBRARY % folder.parent)
    core = cores()["cortex-m4f"]
    compile_it = [*program.compiler(core), "-c"]
    subprocess.run([*compile_it, "part.c", "-o", "part.o"], cwd=folder, check=True)
    subprocess.run(["arm-none-eabi-ar", "rc", "libpart.a", "part.o"], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--scenario", "cooperative-scheduling", "--skip-conformance", "--no-model"),
        ("port", "check"),
    ],
)
def test_run_and_port_check_refuse_a_prebuilt_kernel(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "victim").write_text("kept")
    kernel = str(prebuilt(tmp_path / "image"))
    with tempfile.TemporaryDirectory() as store:
        where = ["--store", store, *(["--output", f"{store}/x.html"] if "run" in words else [])]
        named = ["--kernel", kernel] if "run" in words else [kernel]
        done = ticklab(tmp_path, *words, *named, *where)
    assert done.returncode == 1, done.stderr
    said = "".join((done.stdout + done.stderr).split())  # a console divides long paths
    assert f"theguesttriedtoopen'{tmp_path}/victim'onthehost" in said, said
    assert untouched(tmp_path)


@pytest.mark.parametrize("what", OPERATIONS)
def test_the_kernels_own_tests_run_confined_guests(what: str, tmp_path: Path) -> None:
    """bulkhead/test/build.py has the emulator's command for all tests of the kernel."""
    code = "import build; print(*build.emulator(), sep='\\n')"
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(
            str(paths.CHECKOUT / folder) for folder in ("bulkhead/test", "lab/src")
        ),
        "TICKLAB_HOME": str(paths.home()),
    }
    answer = subprocess.run(
        [sys.executable, "-P", "-c", code], env=environment, capture_output=True, text=True
    )
    command = [*answer.stdout.splitlines(), "-kernel", str(hostile(tmp_path, what))]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == (-signal.SIGSYS if what == "run a program" else 1)
    assert what == "run a program" or "ticklab: the guest tried to" in done.stderr
    assert untouched(tmp_path)


def test_a_guest_does_not_speak_to_the_terminal(tmp_path: Path) -> None:
    text = "\\033[31mred\\033]0;title\\007\\r\\n\\b"
    image = guests.build(tmp_path, guests.LEAVING, text)
    seen = Qemu(paths.plugin()).observe(image, PLAN, Cancel())
    assert seen.ending.console == "\\x1b[31mred\\x1b]0;title\\x07\n\\x08"
    done = ticklab(tmp_path, "observe", str(image), "--mark", "a=reset", "--mark", "b=reset+2")
    assert "\x1b" not in done.stdout + done.stderr
    assert "\\x1b[31mred" in done.stdout
