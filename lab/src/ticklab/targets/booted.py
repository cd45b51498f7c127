# SPDX-License-Identifier: MIT
"""Boots a kernel once, and saves the state of the machine when its first process is ready to load a
program.

Each run continues from the saved state, because a boot takes more than 10^9 instructions, a
thousand times as many as a scenario. A breakpoint stops the machine at the moment of the save, so
that the state does not depend on the host. A run passes its program to the guest through QEMU's
firmware configuration device, from which the first process loads it (platform/arch/*/init/init.c).
"""

from __future__ import annotations

import json
import shlex
import socket
import struct
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from ticklab import digest, lock, paths
from ticklab.bootstrap import system
from ticklab.bootstrap.step import say
from ticklab.building import elf, program
from ticklab.description.architecture import Core
from ticklab.description.machine import Emulated
from ticklab.description.model import Boot
from ticklab.errors import TicklabError
from ticklab.targets import emulator, initrd
from ticklab.targets.process import POLL_S
from ticklab.targets.stepper import Stepper

_READY = "init_booted"  # the function of init.c at which the state is saved
_BOOT_S = 120.0  # of processor time; a boot takes 5
# The fields of the header of a kernel's file: a magic number, the first address and the address
# after the last. Source: arch/arm/boot/compressed/head.S of Linux.
_HEADER_AT, _HEADER, _MAGIC = 0x24, struct.Struct("<III"), 0x016F_2818
_BYTES_PER_S = 1 << 34  # limit for writing the state; so high that there is none
# In a saved state, QEMU records that a debugger stopped the machine. The record is changed to
# "running", because in a run there is no debugger that would continue the machine.
_STOPPED, _RUNNING = b"\0\0\0\x06debug\0\0\0", b"\0\0\0\x08running\0"
# A panic ends the run at once, and the console shows its reason. The kernel prints only errors
# there, because the console is slow.
_PARAMETERS = "console=ttyAMA0 panic=-1 quiet"
Build = Callable[[Core, Path], program.Words]  # a program of platform/arch/*/init
_ONE_AT_A_TIME = threading.RLock()  # a boot compiles the first process


@dataclass(frozen=True)
class Machine:
    """An emulated machine, with the kernel that boots on it."""

    boot: Boot
    core: Core
    machine: Emulated

    def hardware(self) -> list[str]:
        """Returns the options of QEMU that describe the machine. They must be the same when the
        state is saved and when a run continues from it."""
        return [*emulator.machine(self.core, self.machine), "-no-reboot"]

    def key(self) -> str:
        """Returns a hash of everything that determines the saved state."""
        found = {
            "kernel": [self.boot.kernel.sha256, self.boot.kernel.file, _command_line(self.boot)],
            "hardware": self.hardware(),
            "init": digest.hash_file(_init(self.core)),
            "emulator": system.identity([system.emulator(self.core.arch.name)]),
        }
        return digest.hash_json(found)


def state(machine: Machine) -> Path:
    """Returns the file with the saved state of a booted machine; boots it if there is none."""
    folder = _folder() / machine.key()[:32]
    kept = folder / "state"
    if kept.exists():
        return kept
    with _ONE_AT_A_TIME, lock.held(_folder() / "lock", "another boot", say):
        if not kept.exists():
            say(f"booting {machine.boot.kernel.name}, once")
            folder.mkdir(parents=True, exist_ok=True)
            _boot(machine, folder, kept)
    return kept


def functions(machine: Machine) -> Path:
    """Returns the file that lists the functions of a booted kernel, as the kernel itself lists
    them: an address and a name on each line."""
    return _said(machine, "functions", program.list_of_functions, "does not list its functions")


def layout_of_trace(machine: Machine) -> Path:
    """Returns the file in which a booted kernel describes the format of its trace: the header of a
    page, and each event that the kernel's command line enables."""
    return _said(machine, "tracepoints", program.layout_of_trace, "does not describe its trace")


def _said(machine: Machine, name: str, build: Build, otherwise: str) -> Path:
    """Returns the file with the output of a program of platform/arch/*/init, which prints facts
    about the booted kernel. If there is no such file, runs the program."""
    image = _compiled(machine.core, name, build)
    kept = state(machine).with_name(image.name)
    if kept.exists():
        return kept
    with _ONE_AT_A_TIME, lock.held(_folder() / "lock", "another boot", say):
        if not kept.exists() and not _printed(machine, image, kept):
            what = f"the booted kernel {machine.boot.kernel.name} {otherwise}"
            raise TicklabError(what, "name a kernel such as those of kernels/linux")
    return kept


def _printed(machine: Machine, image: Path, kept: Path) -> bool:
    """Runs a program under the booted kernel and writes what it prints to the file `kept`. Returns
    whether the program succeeded."""
    new = kept.with_suffix(".new")
    with state(machine).open("rb") as stream, tempfile.TemporaryDirectory() as scratch:
        words = options(machine, image, stream.fileno(), Path(scratch) / "kernel.log")
        console = ["-chardev", f"file,id=con,path={emulator.escaped(new)}"]
        command = [emulator.program(machine.core), *console, *words]
        result = subprocess.run(
            command, pass_fds=[stream.fileno()], stdin=subprocess.DEVNULL, capture_output=True
        )
    if result.returncode or not new.stat().st_size:
        return False
    new.replace(kept)
    return True


def identity(boot: Boot, core: Core) -> dict[str, str]:
    """Returns the facts that determine the figures of a booted kernel, in addition to those that
    determine the figures of every kernel."""
    return {
        "package": boot.kernel.sha256,
        "command_line": _command_line(boot),
        "init": digest.hash_file(_init(core)),
    }


def options(machine: Machine, image: Path, state_fd: int, kernel_log: Path) -> list[str]:
    """Returns the options of QEMU for a run of the program `image`. `state_fd` is an open file
    descriptor of the saved state."""
    return [
        *machine.hardware(),
        *("-serial", f"file:{emulator.escaped(kernel_log)}"),
        *("-fw_cfg", f"name=opt/ticklab/program,file={emulator.escaped(image)}"),
        *("-incoming", f"fd:{state_fd}"),
    ]


def in_file(machine: Emulated, memory: Path | None) -> list[str]:
    """Returns the options that keep the machine's memory in a file, which remains after the run.
    The name of the memory must be the one in the saved state."""
    if memory is None:
        return []
    size = machine.options[machine.options.index("-m") + 1]
    name = f"mem-path={emulator.escaped(memory)}"
    of_state = "id=mach-virt.ram,x-use-canonical-path-for-ramblock-id=off"
    backend = f"memory-backend-file,{of_state},size={size},share=on,{name}"
    return ["-object", backend, "-machine", "memory-backend=mach-virt.ram"]


def panic(kernel_log: Path) -> str | None:
    """Returns the reason of the kernel's panic, or None."""
    text = kernel_log.read_text(errors="replace") if kernel_log.exists() else ""
    for line in text.splitlines():
        _, found, reason = line.partition("Kernel panic - not syncing: ")
        if found:
            return reason.strip()
    return None


def _command_line(boot: Boot) -> str:
    return f"{_PARAMETERS} {boot.parameters}".rstrip()


def _folder() -> Path:
    return paths.home() / "booted"


def _init(core: Core) -> Path:
    """Returns the first process of a booted kernel, as a program."""
    return _compiled(core, "init", program.first_process)


def _compiled(core: Core, name: str, build: Build) -> Path:
    """Returns a program of platform/arch/*/init."""
    source = paths.CHECKOUT / "platform" / "arch" / core.arch.name
    command = build(core, source)
    hashes = {str(file): digest.hash_file(file) for file in sorted(source.rglob("*.[ch]"))}
    compiler = system.identity([system.compiler(core.arch.name)])
    made = _folder() / f"{name}-{digest.hash_json([hashes, compiler, *map(str, command)])[:16]}"
    if made.exists():
        return made
    made.parent.mkdir(parents=True, exist_ok=True)
    with _ONE_AT_A_TIME, lock.held(_folder() / f"{name}.lock", "another compilation", say):
        if not made.exists():
            _compile(command, made)
    return made


def _compile(command: Sequence[str | Path], made: Path) -> None:
    new = made.with_suffix(".new")
    result = subprocess.run([*command, "-o", new], capture_output=True, text=True)
    if result.returncode:
        reason = (result.stderr.strip() or "no reason given").splitlines()[0]
        raise TicklabError(f"{made.stem} for a booted kernel does not compile: {reason}")
    new.replace(made)


def _boot(machine: Machine, folder: Path, kept: Path) -> None:
    if not machine.boot.kernel.path.exists():
        raise TicklabError(
            f"{machine.boot.kernel.name} is not downloaded",
            "'ticklab run --board' with the name of its board downloads it",
        )
    _require_kernel(machine.boot)
    init = _init(machine.core)
    ready = next(each.address for each in elf.read(init).symbols if each.name == _READY)
    files = folder / "initrd"
    files.write_bytes(initrd.of(init.read_bytes()))
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        log, new = Path(scratch) / "kernel.log", Path(scratch) / "state"
        with _running(_command(machine, files, log)) as links:
            _keep(machine, links, ready, new, log)
        _let_run(new)
        new.replace(kept)


def _require_kernel(boot: Boot) -> None:
    """Raises an error if the kernel's file is not a kernel for the machine or is incomplete,
    because QEMU would then execute whatever is in the memory."""
    data = boot.kernel.path.read_bytes()
    magic, begin, end = _HEADER.unpack_from(data.ljust(_HEADER_AT + _HEADER.size), _HEADER_AT)
    if magic != _MAGIC:
        raise TicklabError(
            f"{boot.kernel.name}: {boot.kernel.file} is no kernel for 32-bit Arm",
            "name the file boot/vmlinuz-… of a package for armhf in kernel.toml",
        )
    if end - begin > len(data):
        raise TicklabError(
            f"{boot.kernel.path} is truncated: {len(data)} bytes of {end - begin}",
            "delete it; the next command fetches it again",
        )


def _command(machine: Machine, files: Path, log: Path) -> list[str]:
    return [
        emulator.program(machine.core),
        *machine.hardware(),
        *("-chardev", "null,id=con", "-serial", f"file:{emulator.escaped(log)}"),
        *("-kernel", str(machine.boot.kernel.path), "-initrd", str(files)),
        *("-append", _command_line(machine.boot)),
    ]


def _controls(debugger: int, control: int) -> list[str]:
    return [
        *("-chardev", f"socket,id=debugger,fd={debugger}", "-gdb", "chardev:debugger", "-S"),
        *("-chardev", f"socket,id=control,fd={control}", "-mon", "chardev=control,mode=control"),
    ]


@dataclass(frozen=True)
class _Links:
    """QEMU's process, and the sockets of its debug server and of its monitor."""

    emulator: int
    debugger: socket.socket
    control: socket.socket


@contextmanager
def _running(command: Sequence[str]) -> Iterator[_Links]:
    (debugger, theirs), (control, others) = socket.socketpair(), socket.socketpair()
    with debugger, theirs, control, others:
        files = (theirs.fileno(), others.fileno())
        child = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "--", *command, *_controls(*files)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=files,
        )
        theirs.close()
        others.close()
        try:
            yield _Links(child.pid, debugger, control)
        finally:
            child.kill()
            child.wait()


def _keep(machine: Machine, links: _Links, ready: int, to: Path, log: Path) -> None:
    """Runs the machine to the instruction at `ready` and writes the state of the machine to a
    file."""
    name = machine.boot.kernel.name
    processor = Stepper(links.debugger, links.control, links.emulator, name, "", _BOOT_S)
    try:
        processor.run_to(ready)
    except (TicklabError, OSError):  # QEMU ended
        why = panic(log) or f"its first process does not reach {_READY}"
        raise TicklabError(f"{name} does not boot on {machine.machine.name}: {why}") from None
    with links.control.makefile("rw") as stream:
        stream.readline()  # QEMU's greeting
        _ask(stream, "qmp_capabilities")
        _ask(stream, "migrate-set-parameters", {"max-bandwidth": _BYTES_PER_S})
        _ask(stream, "migrate", {"uri": f"exec:exec cat > {shlex.quote(str(to))}"})
        while (status := _ask(stream, "query-migrate").get("status")) != "completed":
            if status == "failed":
                why = f"QEMU could not write the state of the machine with {name}"
                raise TicklabError(why, "free some space, and try again")
            time.sleep(POLL_S)


def _ask(stream: TextIO, command: str, arguments: Mapping[str, object] | None = None) -> Any:
    """Carries out a command of QEMU's machine protocol and returns its result. Ignores events."""
    question = {"execute": command, **({"arguments": arguments} if arguments else {})}
    stream.write(json.dumps(question) + "\n")
    stream.flush()
    for line in stream:
        answer = json.loads(line)
        if "error" in answer:
            why = answer["error"].get("desc")
            raise TicklabError(f"QEMU refuses {command}: {why}", "report it with QEMU's version")
        if "return" in answer:
            return answer["return"]
    raise TicklabError(f"QEMU ended during its command {command}", "report it with QEMU's version")


def _let_run(state: Path) -> None:
    """Changes the run state that is recorded in a saved state from stopped to running."""
    data = state.read_bytes()
    if data.count(_STOPPED) != 1:
        raise TicklabError(
            "this version of QEMU saves the state of a machine in an unknown format",
            "use a version for which the tests pass, such as 7.2",
        )
    state.write_bytes(data.replace(_STOPPED, _RUNNING))
