# SPDX-License-Identifier: MIT
"""Tests kernels that boot: the first file system, and programs that a booted Linux runs."""

from __future__ import annotations

import json
import struct
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ticklab import building, cli, paths, targets
from ticklab.building import elf, program
from ticklab.description import catalogue, toml_file
from ticklab.description.boot import PackageFile
from ticklab.description.machine import Emulated
from ticklab.description.model import Case, End, Image, Status
from ticklab.errors import TicklabError
from ticklab.explain import categories, second_run
from ticklab.explain.answer import Function
from ticklab.measurement import cases, observation
from ticklab.measurement.cases import CaseChoice
from ticklab.measurement.support import unsupported_reason
from ticklab.targets import booted, emulator, initrd, keeper
from ticklab.targets.protocol import Cancel, Ending, Observation, ObservationPlan
from ticklab.targets.qemu import Qemu

BOARD = catalogue.find_board("virt-linux")
KERNELS = ("linux", "linux-rt")


def _are_fetched() -> bool:
    each = (catalogue.find_kernel(name).boot for name in KERNELS)
    return all(boot is not None and boot.kernel.path.exists() for boot in each)


# The packages of Linux have 70 MB, so only a command that uses the board downloads them.
boots = pytest.mark.skipif(not _are_fetched(), reason="no packages of Linux")

# --- The first file system ------------------------------------------------------------------------


def unpacked(archive: bytes) -> dict[str, tuple[int, tuple[int, int], bytes]]:
    """Unpacks an archive as the kernel does (init/initramfs.c), and returns mode, device and data
    of each file."""
    found: dict[str, tuple[int, tuple[int, int], bytes]] = {}
    at = 0
    while True:
        assert at % 4 == 0
        assert archive[at : at + 6] == b"070701"
        fields = [int(archive[at + 6 + 8 * i : at + 14 + 8 * i], 16) for i in range(13)]
        begin = at + 110
        name = archive[begin : begin + fields[11] - 1].decode()
        data = (begin + fields[11] + 3) & ~3
        if name == "TRAILER!!!":
            return found
        found[name] = (fields[1], (fields[9], fields[10]), archive[data : data + fields[6]])
        at = (data + fields[6] + 3) & ~3


def test_the_first_file_system_has_a_console_and_the_first_process() -> None:
    for content in (b"", b"x", b"four", bytes(range(256)) * 3):
        archive = initrd.of(content)
        assert archive == initrd.of(content)
        assert unpacked(archive) == {
            "dev": (0o040755, (0, 0), b""),
            "dev/console": (0o020600, (5, 1), b""),
            "init": (0o100755, (0, 0), content),
        }


# --- A booted kernel ------------------------------------------------------------------------------


@cache
def machine(kernel: str) -> booted.Machine:
    found = catalogue.kernels()[kernel]
    assert found.boot
    assert isinstance(BOARD.machine, Emulated)
    return booted.Machine(found.boot, BOARD.core, BOARD.machine)


def run(kernel: booted.Machine, image: Path) -> tuple[int, str, str | None]:
    """Runs a program without the observer, and returns its exit status, its text and the reason of
    a panic."""
    with booted.state(kernel).open("rb") as state, tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch) / "kernel.log"
        options = booted.options(kernel, image, state.fileno(), log)
        console = ["-chardev", "stdio,id=con,signal=off"]
        result = subprocess.run(
            [emulator.program(kernel.core), *console, *options],
            pass_fds=[state.fileno()], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )  # fmt: skip
        return result.returncode, result.stdout, booted.panic(log)


def compiled(folder: Path, text: str) -> Path:
    source, image = folder / "a.c", folder / "a, b"
    source.write_text(text)
    options: list[str | Path] = [
        "-marm",
        "-static",
        "-Wl,-Ttext-segment=0x5a000000",
        "-o",
        image,
        source,
    ]
    subprocess.run([*program.compiler(BOARD.core), *options], check=True)
    return image


# A first process that passes a mark (platform/arch/linux-armhf/include/arch/mark.h), as scenarios
# do, and then ends, so that the kernel panics.
PANICKING = r"""
int main(void) {
    __asm__ volatile(".pushsection .bench.marks, \"\", %progbits\n.word 1f\n"
                     ".asciz \"iteration.0\"\n.balign 4\n.popsection\n1: nop");
    return 3;
}
"""
TIMES = r"""
#include <stdio.h>
#include <time.h>
static void call(unsigned operation, const void *argument) {
    register unsigned r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("svc 0x123456" : "+r"(r0) : "r"(r1) : "memory");
}
int main(void) {
    char line[64];
    for (int i = 0; i < 20; i++) {
        struct timespec now, wait = {0, 1000003};
        clock_gettime(CLOCK_MONOTONIC, &now);
        snprintf(line, sizeof line, "%lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);
        call(4, line);
        nanosleep(&wait, NULL);
    }
    static const unsigned block[2] = {0x20026, 7};
    call(0x20, block);
}
"""


@boots
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_run_and_every_boot_is_the_same_to_the_nanosecond(
    kernel: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = compiled(tmp_path, TIMES)
    first = run(machine(kernel), image)
    assert first[0] == 7
    assert len(first[1].splitlines()) == 20
    assert run(machine(kernel), image) == first
    monkeypatch.setattr(booted, "_folder", lambda: tmp_path / "booted")  # boots once more
    assert run(machine(kernel), image) == first


@boots
def test_a_panic_has_a_reason(tmp_path: Path) -> None:
    image = compiled(tmp_path, "int main(void) { return 3; }")
    assert run(machine("linux"), image) == (
        0, "", "Attempted to kill init! exitcode=0x00000300",
    )  # fmt: skip


@boots
def test_what_is_no_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program")
    status, text, _ = run(machine("linux"), tmp_path / "text")
    assert (status, text) == (1, "\nticklab: fail: init: the system cannot start the program\n")


@boots
def test_a_kernel_that_does_not_boot_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(booted, "_folder", lambda: tmp_path / "booted")
    boot = replace(machine("linux").boot, parameters="rdinit=/none")
    with pytest.raises(TicklabError, match=r"does not boot on virt.*: VFS: Unable to mount root"):
        booted.state(replace(machine("linux"), boot=boot))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is no kernel for 32-bit Arm"),
        (b"MZ" + bytes(0x200) + b"HdrS" + bytes(0x1000), "is no kernel for 32-bit Arm"),  # of x86
        (bytes(0x24) + struct.pack("<III", 0x016F_2818, 0, 0x8000), "is truncated: 48 bytes of"),
    ],
)
def test_a_file_that_is_no_kernel_of_the_machine_is_refused_in_one_line(
    content: bytes, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TICKLAB_HOME", str(tmp_path))
    file = PackageFile("pool/a-kernel_1.2-3_armhf.deb", "0" * 64, "boot/vmlinuz-1")
    file.path.parent.mkdir(parents=True)
    file.path.write_bytes(content)
    monkeypatch.setattr(booted, "_init", lambda _: tmp_path / "unused")
    (tmp_path / "unused").touch()
    with pytest.raises(TicklabError, match=reason) as said:
        booted.state(replace(machine("linux"), boot=replace(machine("linux").boot, kernel=file)))
    assert len(str(said.value).splitlines()) == 1


@pytest.mark.parametrize("command", ["observe", "profile"])
def test_a_program_without_a_kernel_is_refused_in_one_line(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = compiled(tmp_path, "int main(void) { return 3; }")
    words = ["--mark", "a=main"] if command == "observe" else []
    assert cli.main([command, str(image), "--board", "virt-linux", *words]) == 1
    (said,) = (line for line in capsys.readouterr().err.splitlines() if "error:" in line)
    assert "no kernel is named" in said
    assert "--kernel linux" in said


@boots
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_panic_is_the_reason_of_a_failed_record(kernel: str, tmp_path: Path) -> None:
    (case, *_) = supported(kernel, "thread-metric")
    image = Image(compiled(tmp_path, PANICKING), "0", {})
    taken = observation.take(case, image, None, targets.of(BOARD, 1), Cancel())
    assert [record.status for record in taken.records] == [Status.FAIL]
    reason = str(taken.records[0].reason)
    assert "the kernel panicked: Attempted to kill init!" in reason
    assert len(reason.splitlines()) == 1


# --- Functions of the kernel ----------------------------------------------------------------------


@boots
def test_a_booted_kernel_lists_its_functions() -> None:
    lines = booted.functions(machine("linux")).read_text().splitlines()
    found = {name: int(address, 16) for address, name in (line.split(" ") for line in lines)}
    assert len(lines) > 40_000
    assert {"schedule", "try_to_wake_up", "vector_swi"} < found.keys()
    assert all(address >= 0xC000_0000 for address in found.values())


@boots
def test_a_kernel_that_lists_nothing_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel, image = machine("linux"), compiled(tmp_path, "int main(void) { return 3; }")
    state = booted.state(kernel)
    (tmp_path / "booted").mkdir()
    monkeypatch.setattr(booted, "_folder", lambda: tmp_path / "booted")
    monkeypatch.setattr(booted, "state", lambda _: copied(state, tmp_path / "booted"))
    monkeypatch.setattr(booted, "_compiled", lambda *_: image)
    with pytest.raises(TicklabError, match="does not list its functions"):
        booted.functions(kernel)
    assert not (tmp_path / "booted" / image.name).exists()


def copied(file: Path, folder: Path) -> Path:
    (folder / file.name).unlink(missing_ok=True)
    (folder / file.name).symlink_to(file)
    return folder / file.name


def category(name: str, file: str | None = None) -> str:
    function = Function(name, None, file, False, None, "code")
    return categories.chooser(catalogue.kernels()["linux-rt"].categories)("", function, function)


def test_functions_of_the_kernel_have_categories() -> None:
    of_name = {
        "psi_group_change": "bookkeeping", "vector_swi": "exceptions", "vectors": "exceptions",
        "__switch_to": "registers", "rt_spin_lock": "critical-sections", "sched_clock":
        "bookkeeping", "_raw_spin_unlock_irqrestore": "critical-sections", "__schedule":
        "ready-list", "rt_mutex_setprio": "critical-sections", "enqueue_task_rt": "ready-list",
        "security_file_permission": "checks", "eventfd_write": "bookkeeping", "__new_sem_post":
        "bookkeeping", "bench_notify": "api", "balance_rt": "ready-list",
    }  # fmt: skip
    assert {name: category(name) for name in of_name} == of_name
    assert category("status_of", "port.c") == "api"
    assert category("high", "notification_blocking.c") == "benchmark"


@dataclass(frozen=True)
class Answering:
    """A target that writes the event log and the answer of an explained run."""

    log: Path = Path()
    request: Path = Path()
    asked: list[dict[str, object]] = field(default_factory=list)

    def observe(self, _image: Path, _plan: ObservationPlan, _cancel: Cancel) -> Observation:
        self.asked.append(json.loads(self.request.read_text()))
        self.log.write_text("same")
        Path(str(self.asked[-1]["json"])).write_text(json.dumps({"starts": None}))
        return Observation(Ending(End.EXIT, "", ""), None)


@pytest.mark.parametrize("is_booted", [False, True])
def test_an_explanation_knows_the_functions_of_the_kernel_that_booted(
    is_booted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "first.log").write_text("same")
    (case, *_) = supported("linux", "thread-metric")
    boot = case.variant.boot if is_booted else None
    variant = case.variant
    plan = ObservationPlan(variant.board.machine, variant.core, 0, None, 0, 1, 1, boot=boot)
    monkeypatch.setattr(booted, "functions", lambda _: tmp_path / "functions")
    about, asked = second_run.About((), 0, 0, 1, None), list[dict[str, object]]()
    target: Any = Answering(asked=asked)
    first = second_run.FirstRun(target, Path("x"), plan, tmp_path / "first.log", about)
    second_run._answer(first, {}, tmp_path)
    assert asked[0]["system"] == (str(tmp_path / "functions") if is_booted else None)


# --- Scenarios ------------------------------------------------------------------------------------


FINISHED = "\nticklab: finished\n"


def supported(kernel: str, suite: str) -> list[Case]:
    choice = CaseChoice(boards=["virt-linux"], suites=[suite], optimise="O2", kernels=[kernel])
    return [case for case in cases.expand(choice) if not unsupported_reason(case)]


def proofs(kernel: str) -> list[Case]:
    """Returns the conformance programs except the longest one; every run of a kernel executes all
    of them."""
    (case, *_) = supported(kernel, "thread-metric")
    every = [replace(case, scenario=scenario) for scenario in cases.conformance()]
    found = [each for each in every if not unsupported_reason(each)]
    return [each for each in found if not each.scenario.name.endswith("-endurance")]


@boots
@pytest.mark.parametrize("kernel", KERNELS)
def test_conformance(kernel: str) -> None:
    found = proofs(kernel)
    assert len(found) >= 25
    images = building.build(found, toolchain())
    names = [case.scenario.name for case in found]
    with ThreadPoolExecutor(2) as pool:
        texts = pool.map(lambda image: text_of(kernel, image), images)
        assert dict(zip(names, texts, strict=True)) == dict.fromkeys(names, FINISHED)


def text_of(kernel: str, image: Image | TicklabError) -> str:
    return run(machine(kernel), image.path)[1] if isinstance(image, Image) else str(image)


def toolchain() -> building.Toolchain:
    return building.find_toolchain(arch="linux-armhf")


def test_marks_are_at_addresses_of_the_scenario_alone() -> None:
    (case, *_) = supported("linux", "thread-metric")
    (image,) = building.build([case], toolchain())
    assert isinstance(image, Image)
    begin, length = BOARD.memory["code"]
    scenario, first = elf.read(image.path), elf.read(booted._init(BOARD.core))
    assert all(begin <= start < end <= begin + length for start, end in scenario.extents)
    assert all(start >= begin + length for start, _ in first.extents)
    assert elf.marks(image.path)


def test_the_parameters_of_a_kernel_are_part_of_a_measurement() -> None:
    (case, *_) = supported("linux", "thread-metric")
    image = Image(Path("x"), "0", {})
    config = case.variant.kernel.configs["without-psi"]
    found = [
        observation.determined_by(each, image, None, {})["boot"]
        for each in (case, case.varied(config=config))
    ]
    assert found[0]["command_line"] + " psi=0" == found[1]["command_line"]
    pinned = toml_file.load(paths.CHECKOUT / "kernels" / "linux" / "kernel.toml")["boot"]["sha256"]
    assert found[0]["package"] == pinned


def test_a_booted_kernel_has_time_for_100_000_calls() -> None:
    (case, *_) = proofs("linux")
    assert observation._budget(case) >= 100_000 * 10_000
    bare = case.varied(kernel=replace(case.variant.kernel, boot=None))
    assert observation._budget(bare) == 100_000_000


@boots
def test_tasks_that_are_always_ready_do_not_keep_the_others_from_being_created() -> None:
    """The kernel makes room for more than 32 descriptors by threads that these tasks would not let
    run (kernels/linux/start.c)."""
    every = supported("linux", "services")
    (case,) = [
        case
        for case in every
        if case.scenario.name == "semaphore-uncontended" and case.scenario.params["ready"] == "50"
    ]
    (image,) = building.build([case], toolchain())
    assert isinstance(image, Image)
    taken = observation.take(case, image, None, targets.of(BOARD, 1), Cancel())
    assert [record.status for record in taken.records] == [Status.PASS] * 2, taken.records


# --- Explanations by functions of the kernel ------------------------------------------------------


def calls(kernel: str, scenario: str) -> dict[str, float]:
    """Returns how often a sample of a scenario calls each function."""
    (case, *_) = [one for one in supported(kernel, "services") if one.scenario.name == scenario]
    (image,) = building.build([case], toolchain())
    assert isinstance(image, Image)
    target = targets.of(BOARD, 1)
    assert isinstance(target, Qemu)
    with keeper.keeping(target) as runs:
        taken = observation.take(case, image, None, runs, Cancel())
        assert taken.records[0].status is Status.PASS, taken.records
        determinants = observation.determined_by(case, image, None, {})
        about = second_run.about(determinants, case.variant.kernel)
        first = second_run.of(runs, image.path, about)
        (span,) = second_run.explain(first, case.scenario.spans).spans
    found: dict[str, float] = {}
    for node in span.nodes:
        found[node.name] = found.get(node.name, 0.0) + node.calls
    return found


@boots
def test_a_wake_up_is_attributed_to_functions_of_the_kernel() -> None:
    """Under PREEMPT_RT, the woken thread waits for the lock that its waker holds: three switches in
    place of one."""
    stock, rt = (calls(kernel, "notification-notify-unblock") for kernel in KERNELS)
    assert (stock["__schedule"], round(rt["__schedule"])) == (1, 3)
    assert "rt_mutex_setprio" not in stock
    assert rt["rt_mutex_setprio"] >= 2
