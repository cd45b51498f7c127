# SPDX-License-Identifier: MIT
"""Builds and runs one test: of pure parts and of the model on this machine, or of the whole kernel
on the emulator.

The sources are a Tree: this checkout, or a changed copy (mutants.py).
"""

from __future__ import annotations

import importlib
import io
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

from ticklab import paths
from ticklab.building import program
from ticklab.building.objects import Objects
from ticklab.building.program import WARNINGS as EVERY_WARNING
from ticklab.building.program import Program
from ticklab.description import architecture

BULKHEAD = Path(__file__).resolve().parents[1]
ROOT = BULKHEAD.parent
PLATFORM = ROOT / "platform" / "arch" / "armv7-m"
COMMON = ROOT / "platform" / "common"

Texts = Sequence[tuple[str, str]]  # pairs of a text and its replacement


@dataclass(frozen=True)
class Core:
    """A processor, and the emulator's machine that has this processor."""

    name: str
    machine: str
    described: architecture.Core = field(
        hash=False
    )  # the description of the core in platform/cores
    emulator_options: tuple[str, ...] = ()
    declared: Texts = ()  # texts of a declaration that this machine needs replaced
    # Per count of the timer: docs/reference/contract.md, "Time".
    count_instructions: float = 40
    unit: str = "armv7-m/pmsav7"  # folder in arch/ and test/target/ for the memory protection unit
    # The factor by which a tick is longer than on Armv7-M, for cores on which the same code takes
    # more instructions.
    tick_stretch: int = 1

    @property
    def has_fpu(self) -> bool:
        return self.described.has_fpu

    @property
    def arch(self) -> str:
        return self.described.arch.name

    @property
    def emulator(self) -> tuple[str, ...]:
        return (self.described.arch.emulator.program, *self.emulator_options)


_CORES = architecture.cores()
# In the attack, the attacker may write its shared region on one core, and may only read it on the
# others. These texts change the declaration for the others.
_READ_ONLY = ('users = ["attacker", "keeper"]', 'users = ["keeper"]\nreaders = ["attacker"]')
CORTEX_M3 = Core("cortex-m3", "mps2-an385", _CORES["cortex-m3"])
CORTEX_M4F = Core("cortex-m4f", "mps2-an386", _CORES["cortex-m4f"])
CORTEX_M7F = Core("cortex-m7f", "mps2-an500", _CORES["cortex-m7f"], declared=(_READ_ONLY,))
# The kernel runs in the Secure state, so memories have their Secure addresses.
CORTEX_M33F = Core(
    "cortex-m33f",
    "mps2-an505",
    _CORES["cortex-m33f"],
    declared=(
        # QEMU's semihosting checks the access rights at the beginning of a page of 1 KiB.
        ("[image]", '[image]\narchitecture = "armv8-m"\nregion_alignment = 1024'),
        ("code = [0x0000_0000, 0x0040_0000]", "code = [0x1000_0000, 0x0040_0000]"),
        ("data = [0x2000_0000, 0x0040_0000]", "data = [0x3800_0000, 0x0040_0000]"),
        # The addresses of the devices in target/armv8-m/mps2-an505 and
        # attack/armv8-m/machine_places.h.
        ("address = 0x4000_0000\nbytes = 8192", "address = 0x5000_0000\nbytes = 8192"),
        ("address = 0x4000_1000", "address = 0x5000_1000"),
        ("line = 9\n", "line = 4\n"),
        ("address = 0x4000_0000\nbytes = 4096", "address = 0x5000_0000\nbytes = 4096"),
        ("address = 0x4000_8000", "address = 0x5008_1000"),
        ("address = 0x4002_8040", "address = 0x5030_2040"),
        _READ_ONLY,
    ),
    count_instructions=50,
    unit="armv8-m",
)
# The kernel runs in the Secure state.
CORTEX_M55F = Core(
    "cortex-m55f",
    "mps3-an547",
    _CORES["cortex-m55f"],
    declared=(
        ("[image]", '[image]\narchitecture = "armv8-m"\nregion_alignment = 1024'),
        ("code = [0x0000_0000, 0x0040_0000]", "code = [0x0000_0000, 0x0008_0000]"),
        ("data = [0x2000_0000, 0x0040_0000]", "data = [0x2000_0000, 0x0008_0000]"),
        # The addresses of the timers in target/armv8-m/mps3-an547/device.h.
        ("address = 0x4000_0000\nbytes = 8192", "address = 0x5800_0000\nbytes = 8192"),
        ("address = 0x4000_1000\nbytes = 32", "address = 0x5800_1000\nbytes = 64"),
        ("line = 9\n", "line = 4\n"),
    ),
    count_instructions=31.25,
    unit="armv8-m",
)
# An emulated core without the extensions that the Ibex core does not have: supervisor mode, an MMU,
# atomics, floating point.
RV32 = Core(
    "rv32imc",
    "virt",
    _CORES["ibex"],
    emulator_options=(
        "-bios", "none",
        "-cpu", "rv32,s=off,h=off,mmu=off,a=off,f=off,d=off,pmp=on",
        "-rtc", "base=2000-01-01,clock=vm",
    ),
    declared=(
        ("[image]", '[image]\narchitecture = "rv32"'),
        ("code = [0x0000_0000, 0x0040_0000]", "code = [0x8000_0000, 0x0008_0000]"),
        ("data = [0x2000_0000, 0x0040_0000]", "data = [0x8008_0000, 0x0008_0000]"),
        # The address of the device in rv32/device.h, which is also the clock.
        ("address = 0x4000_1000", "address = 0x0010_1000"),
        ("address = 0x4000_0000\nbytes = 8192", "address = 0x0010_1000\nbytes = 32"),
        ("address = 0x4000_8000\nbytes = 4096", "address = 0x0010_1000\nbytes = 32"),
        ("line = 9\n", "line = 11\n"),
    ),
    unit="rv32",
    count_instructions=100,
    tick_stretch=3,
)  # fmt: skip


def emulator(core: Core = CORTEX_M4F, threads_speak: bool = True) -> list[str]:
    """Returns the emulator's command line, without the image. If `threads_speak` is set, every
    thread may use semihosting; otherwise only privileged code may. The observer plugin allows only
    the console and the exit, so that a guest cannot access files of the host.
    """
    return [
        *core.emulator, "-M", core.machine, "-nographic", "-monitor", "none", "-serial", "none",
        "-nic", "none", "-icount", "shift=0,align=off,sleep=off", "-semihosting-config",
        f"enable=on,target=native,userspace={'on' if threads_speak else 'off'}",
        "-plugin", f"{_observer()},confine=on",
    ]  # fmt: skip


def _observer() -> Path:
    home = Path(os.environ.get("TICKLAB_HOME") or ROOT / ".ticklab")
    observer = home / "observer" / "observer.so"
    if not observer.exists():
        raise BuildError(f"{observer} is not built; './ticklab test rules' builds it")
    return observer


# Warnings, except that ignored results are allowed, because many calls of a test have results that
# do not matter.
WARNINGS = (*EVERY_WARNING, "-Wno-unused-result")
MODEL_CHECKS = (
    "checks.c",
    "waits.c",
)  # files of core/hooks/checks whose checks run after each step
MODEL_SECONDS = 600
SECONDS = 60  # limit of processor time; every test takes less than a third of it
WAITING = 10  # limit of elapsed time, as a multiple of the limit of processor time

# Object files whose names begin with these prefixes are linked into the kernel. Two files are
# linked twice, into the kernel and into the application, which is possible because they have no
# state: the console, which the kernel uses to print why it stops, and the injection, whose
# interrupt handler belongs to the kernel and whose other functions belong to the test.
_KERNEL = ("core_", "arch_", "kernel_tables", "kernel_options", "platform_")
_OF_BOTH = ("console", "mps2-an386_injection", "mps2-an505_injection")

Command = Sequence[str | Path]


class TestError(Exception):
    """Raised if a test failed. The text is the test's output."""


class BuildError(Exception):
    """Raised if a test could not be built. The text is the compiler's output."""


def run(command: Command, env: Mapping[str, str] | None = None, seconds: int = SECONDS) -> str:
    """Returns the output of a command, which must succeed. The limit is processor time, not elapsed
    time, because other commands may run at the same time.
    """
    program = Path(str(command[0])).name
    try:
        result = subprocess.run(
            ["prlimit", f"--cpu={seconds}", *(str(word) for word in command)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=WAITING * seconds,
            check=False,
            env=env,
        )
    except subprocess.TimeoutExpired:
        raise TestError(f"{program} did not end") from None
    output = (result.stdout + _of_interest(result.stderr)).strip()
    if result.returncode:
        raise TestError(f"{program}: {output or f'ended with {result.returncode}'}")
    return output


def _of_interest(errors: str) -> str:
    """Removes QEMU's warning that the network device of the machine is not connected
    (emulator())."""
    return "".join(line for line in errors.splitlines(True) if "has no peer" not in line)


def make(command: Command, env: Mapping[str, str] | None = None) -> None:
    try:
        run(command, env)
    except TestError as error:
        raise BuildError(str(error)) from None


def _run_here(name: str, words: list[str]) -> None:
    """Runs a module of the generator without a process of its own."""
    try:
        with redirect_stdout(io.StringIO()):
            importlib.import_module(name).main(words)
    except SystemExit as error:
        raise BuildError(str(error)) from None


@dataclass(frozen=True)
class Image:
    """A test of the whole kernel: which files an image has, and how it is built."""

    folder: str  # folder in test/
    declaration: str
    parts: tuple[str, ...]  # names of the source files in the folder
    options: tuple[str, ...] = ()  # for the compiler, including the tick
    threads_speak: bool = True
    platform: tuple[Path, ...] = ()  # further source files
    hooks: str = "none"  # a folder of core/hooks
    length: int = 1  # the macro TEST_LENGTH: a factor for how often a test repeats itself
    # Whether the image starts as an application of the CMake package does, with vectors for device
    # interrupts.
    package: bool = False
    kernel: tuple[str, ...] = ()  # names of source files that are linked into the kernel
    # Whether a tick has the same number of timer counts (in `options`) on every core; otherwise it
    # has about the same number of instructions.
    keeps_counts: bool = False
    # Symbols of the kernel that the test uses; an application may use none.
    exports: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()  # symbols of the test that the kernel uses
    more_declared: str = ""  # name of a file that is added to the declaration
    declared: tuple[str, str] = ("", "")  # a text of the declaration and its replacement


@dataclass(frozen=True)
class Tree:
    """A tree of the kernel's sources and tests, in which tests are built and run."""

    bulkhead: Path = BULKHEAD
    warnings: tuple[str, ...] = WARNINGS
    ablation: str = ""  # a folder of ablation/, whose files replace the kernel's
    core: Core = CORTEX_M4F

    def host(self, folder: Path, name: str) -> str:
        """Builds and runs one host test, with the sanitizers."""
        built = folder / f"{name}{self.ablation}"
        test = self.bulkhead / "test" / "host"
        parts = (self.bulkhead / "core").glob(f"{name.removesuffix('_test')}.c")  # or a header
        headers = [test, *self._replacing(), self.bulkhead / "core", self.bulkhead / "include"]
        tool = program.sanitised(self.warnings)
        make(Program(tool, [test / f"{name}.c", *parts], includes=headers).command(built))
        return run([built])

    def model(self, folder: Path, seconds: int = MODEL_SECONDS) -> str:
        """Builds and runs the model checker of the kernel (test/model)."""
        built = folder / "model"
        test = self.bulkhead / "test" / "model"
        core = self.bulkhead / "core"
        folders = (test, core, self.bulkhead / "user")
        parts = [file for folder in folders for file in folder.glob("*.c")]
        parts += [core / "hooks" / "checks" / name for name in MODEL_CHECKS]
        headers = [test, core, core / "hooks" / "none", self.bulkhead / "include"]
        make(Program(program.model(self.warnings), parts, includes=headers).command(built))
        return run([built], seconds=seconds)

    def target(self, folder: Path, image: Image, level: str, seconds: int = SECONDS) -> str:
        """Builds and runs one test of the whole kernel on the emulator."""
        elf = self.image(folder, image, level)
        said = run([*emulator(self.core, image.threads_speak), "-kernel", elf], seconds=seconds)
        core = "" if self.core == CORTEX_M4F else self.core.name
        hooks = "" if image.hooks == "none" else image.hooks
        how = " ".join(filter(None, (f"-{level}", core, hooks, self.ablation)))
        return f"{said} ({how})"

    def place(self, folder: Path, image: Image, level: str) -> Path:
        """Returns the folder of an image. Two tests that run at once have different folders."""
        parts = (Path(image.parts[0]).stem, Path(image.parts[-1]).stem)
        words = (*parts, image.hooks, level, self.core.name, self.ablation)
        return folder / "-".join(filter(None, words))

    def image(self, folder: Path, image: Image, level: str) -> Path:
        built = self.place(folder, image, level)
        built.mkdir()
        return self.link(built, image, self.objects(built, image, level))

    def objects(self, built: Path, image: Image, level: str) -> dict[str, Path]:
        """Compiles the files of an image. Returns the object file of each, by name."""
        self.declare_image(built, image)
        compiler = self.compiler_of(image, built, level)
        roots = {"built": built, "bulkhead": self.bulkhead}
        known = Objects(paths.objects(), roots, keeps=self.warnings == WARNINGS)
        objects: dict[str, Path] = {}
        for stem, file in sorted(self.files(built, image).items()):
            objects[stem] = built / f"{stem}.o"
            known.compile(make, compiler, file, objects[stem])
        return objects

    def files(self, built: Path, image: Image) -> dict[str, Path]:
        """Returns the source of each object file of an image, by the name of the object file."""
        test = self.bulkhead / "test" / image.folder
        hooks = self.bulkhead / "core" / "hooks" / image.hooks
        files = self._sources() | {Path(part).stem: test / part for part in image.parts}
        files |= {f"{file.parent.name}_{file.stem}": file for file in image.platform}
        if image.folder == "attack":
            files.pop("platform_started", None)  # the image has a start-up file of its own
        if image.package or self.core.arch != PLATFORM.name:
            files |= self._package(built)
        files |= {f"core_{file.stem}": file for file in hooks.glob("*.c")}
        generated = ("kernel_tables", "kernel_options", "user_objects")
        return files | {part: built / f"{part}.c" for part in generated}

    def compiler_of(self, image: Image, built: Path, level: str) -> list[str | Path]:
        test = self.bulkhead / "test" / image.folder
        options: program.Words = [
            *(image.options if image.keeps_counts else map(self._timed, image.options)),
            f"-I{built}",
            f"-I{test}",
            f"-I{test / self.core.unit / self.core.machine}",
            f"-I{test / self.core.arch}",
            f"-I{test / self.core.unit}",
            f"-I{self.bulkhead / 'core' / 'hooks' / image.hooks}",
            f"-DTEST_LENGTH={image.length}",
        ]
        words = [*self.warnings, *(f"-I{each}" for each in self._replacing()), *self._includes()]
        return program.objects(self.core.described, level, words, options)

    def link(
        self,
        built: Path,
        image: Image,
        objects: Mapping[str, Path],
        extra: Sequence[str | Path] = (),
    ) -> Path:
        """Links an image as every build does: closes the kernel, links the rest to it, and checks
        the whole image.

        `extra` adds parts of the application, and options of its link.
        """
        kernel = built / "closed_kernel.o"
        linker, *flags = program.compiler(self.core.described)
        wraps = [option for option in image.options if option.startswith("-Wl,")]
        in_kernel = [stem for stem in objects if stem.startswith((*_KERNEL, *image.kernel))]
        own = [*in_kernel, *(stem for stem in _OF_BOTH if stem in objects)]
        self._tool(
            "close_kernel", f"--interface={built}/interface.json", f"--output={kernel}",
            f"--linker={linker}",
            *(f"--flag={flag}" for flag in (*flags, *wraps)),
            *(f"--export={name}" for name in image.exports),
            *(f"--import={name}" for name in image.imports),
            *(objects[stem] for stem in own),
        )  # fmt: skip
        elf, listing = built / "image.elf", built / "image.map"
        others = [file for stem, file in objects.items() if stem not in in_kernel]
        tool, script = program.image(self.core.described, listing), built / "layout.ld"
        make(Program(tool, [kernel, *others, *extra], script, wraps).command(elf))
        self._tool(
            "check_image", f"--interface={built}/interface.json", f"--kernel={kernel}",
            f"--map={listing}", *(f"--import={name}" for name in image.imports), elf,
        )  # fmt: skip
        return elf

    def _tool(self, module: str, *words: str | Path) -> None:
        """Runs a module of this tree's generator (tools/bulkhead_declare). The checkout's own runs
        in this process, so that not every image starts three Pythons.
        """
        name = f"bulkhead_declare.{module}"
        if self.bulkhead == BULKHEAD:
            _run_here(name, list(map(str, words)))
        else:
            environment = {**os.environ, "PYTHONPATH": str(self.bulkhead / "tools")}
            make([sys.executable, "-m", name, *words], environment)

    def declare_image(
        self, folder: Path, image: Image, replaced: tuple[str, str] = ("", "")
    ) -> None:
        """Generates the files from an image's declaration, in which it first replaces texts."""
        test = self.bulkhead / "test" / image.folder
        files = [test / name for name in (image.declaration, image.more_declared) if name]
        self.declare(folder, *files, replaced=(image.declared, replaced))

    def declare(self, folder: Path, *files: Path, replaced: Texts = ()) -> None:
        """Generates the files from a declaration, which may consist of several files."""
        text = "\n".join(file.read_text() for file in files)
        for line, changed in (*self.core.declared, *replaced):
            text = text.replace(line, changed, 1) if line else text
        own = folder / files[0].name
        own.write_text(text)
        self._tool("__main__", own, folder)

    def _timed(self, option: str) -> str:
        """Returns the compiler option for the length of a tick in counts of this core's timer.
        Tests state the length in counts of SysTick.
        """
        name, _, counts = option.partition("=")
        if name != "-DBULKHEAD_TICK_CYCLES":
            return option
        instructions = int(counts) * CORTEX_M4F.count_instructions * self.core.tick_stretch
        return f"{name}={int(instructions / self.core.count_instructions)}"

    def _package(self, built: Path) -> dict[str, Path]:
        """Returns the start-up files of an application."""
        start = (self.bulkhead / "startup" / self.core.arch).glob("*.[cS]")
        files = {f"platform_{file.stem}": file for file in start}
        return files | {"platform_vectors": built / "vectors.c"}

    def _includes(self) -> list[str]:
        arch = self.bulkhead / "arch" / self.core.arch
        unit = self.bulkhead / "arch" / self.core.unit
        own = self.bulkhead / "test" / "target" / self.core.arch
        return [
            f"-I{self.bulkhead}/include", f"-I{arch}/include", f"-I{arch}", f"-I{unit}",
            f"-I{self.bulkhead}/core", f"-I{ROOT}/bench/include",
            f"-I{PLATFORM if self.core.arch == PLATFORM.name else own}/include",
            f"-I{COMMON}/include",
        ]  # fmt: skip

    def _sources(self) -> dict[str, Path]:
        """Returns the source of each of the kernel's object files, by the name of the object file.
        The patterns in a declaration match these names."""
        arch = self.bulkhead / "arch" / self.core.arch
        found = {f"core_{file.stem}": file for file in (self.bulkhead / "core").glob("*.c")}
        fpu = arch / ("with_fpu" if self.core.has_fpu else "without_fpu")
        for folder in (arch, fpu):
            found |= {f"arch_{file.stem}": file for file in folder.glob("*.[cS]")}
        for folder in (self.bulkhead / "user", arch / "user"):
            found |= {f"user_{file.stem}": file for file in folder.glob("*.[cS]")}
        found["core_words"] = self.bulkhead / "startup" / "words.c"
        return found | self._platform()

    def _platform(self) -> dict[str, Path]:
        """Returns the start-up code and the console of a test: the files of the laboratory, except
        on a core on which they cannot leave user mode.
        """
        if self.core.arch != PLATFORM.name:
            return {"console": self.bulkhead / "test" / "target" / self.core.arch / "console.c"}
        files = ("vectors.c", "start.c", "fault.c", "fault_entry.S")
        found = {f"platform_{Path(name).stem}": PLATFORM / name for name in files}
        found |= {f"platform_common_{file.stem}": file for file in COMMON.glob("*.c")}
        started = self.bulkhead / "test" / "target" / "started.c"
        return found | {"console": PLATFORM / "console.c", "platform_started": started}

    def _replacing(self) -> list[Path]:
        return [self.bulkhead / "ablation" / self.ablation] if self.ablation else []
