# SPDX-License-Identifier: MIT
"""Bounds the kernel's stack on M-profile cores. Compares the deepest chain of calls, computed from
the compiler's facts about each function (-fcallgraph-info=su), with the bytes that every
declaration reserves.

An exception enters the kernel on an empty stack, and calls, the tick and interrupts do not
interrupt one another. So the worst case is the deepest of these three, or a context switch that an
interrupt interrupts, plus a fault by a refused copy or by lazy stacking. The start-up code uses the
same stack before the first exception. The bound does not include an NMI, whose handler in a product
adds a frame and its own depth. In a system with a record, the handler is the kernel's, and the
reserved stack must have room for it above the bound.

Functions in assembler push nothing, except those in the tables of this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from build import TestError, Tree, run
from images import attack

SWITCH_BYTES = 24  # bytes that hooks of the context switch push: times.inc, account.inc
ENTRY_BYTES = 8  # entry.S keeps the caller's stack pointer and EXC_RETURN during a method
FRAME_BYTES = 104 + 4  # with floating point, aligned to 8 (DDI 0403E, B1.5.7)

_NODE = re.compile(r'^node: \{ title: "([^"]+)" label: "[^"]*\\n(\d+) bytes \((\w+)', re.MULTILINE)
_EDGE = re.compile(r'^edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', re.MULTILINE)
_KIND = re.compile(r"struct deferred_kind \w+ = \{(\w+), (\w+), (\w+)\}")
_INDIRECT = "__indirect_call"
# Functions in assembler that C calls, and the C functions at which they continue.
_IN_ASSEMBLER = {
    "arch_copy_in": (), "arch_copy_out": (), "arch_copy_lent": (),
    "arch_fpu_forget": (), "arch_enter": (),
    "arch_interrupt_posts": ("kernel_interrupt_posts", "thread_make_ready"),
}  # fmt: skip
_COMPILED = ("core_", "arch_", "kernel_tables", "kernel_options")
_IN_SWITCH = ("times_enter", "budget_enter")  # functions that the context switch calls
_OTHERS = ("record", "measures")  # declarations with optional parts
_CANCEL = ("mutex_cancel_wait", "gate_cancel_wait")  # functions in `cancel_wait` of struct resource
_EXPIRE = ("thread.c:time_out", "alarm_expire")  # functions in `expire` of struct timer


@dataclass(frozen=True)
class Calls:
    """The stack that each function uses, and the functions that it may call."""

    bytes: Mapping[str, int]
    targets: Mapping[str, set[str]]
    known: dict[str, int] = field(default_factory=dict)

    def depth(self, name: str, path: tuple[str, ...] = ()) -> int:
        """Returns the bytes of the deepest chain of calls from a function, itself included."""
        if name in path:
            raise TestError(f"{name} calls itself by {' -> '.join(path)}: its stack has no bound")
        if name not in self.bytes:
            raise TestError(f"{path[-1:]} calls {name}, which says nothing of its stack")
        if name not in self.known:
            deeper = (self.depth(each, (*path, name)) for each in self.targets.get(name, ()))
            self.known[name] = self.bytes[name] + max(deeper, default=0)
        return self.known[name]

    def deepest(self, names: Iterable[str]) -> int:
        return max(map(self.depth, names))


def _short(title: str) -> str:
    """Returns the name of a function, after its file if it is static."""
    return title.rsplit("/", 1)[-1]


def _kinds(core: Path) -> list[set[str]]:
    """Returns the functions that each member of struct deferred_kind may point to."""
    members: list[set[str]] = [set(), set(), set()]
    for file in core.glob("*.c"):
        for found in _KIND.findall(file.read_text()):
            for member, name in zip(members, found, strict=True):
                member |= {f"{file.name}:{name}"} - {f"{file.name}:NULL"}
    return members


def _by_pointer(tree: Tree, functions: Iterable[str]) -> dict[str, set[str]]:
    """Returns for each function that calls through a pointer the functions that it may call,
    wherever it is inlined."""
    urgency, proceed, start_over = _kinds(tree.bulkhead / "core")
    acts = {name for name in functions if name.startswith("kernel_tables.c:act_")}
    return {
        "deferred_add": urgency, "deferred_prioritise": urgency, "most_urgent": urgency,
        "deferred_start_over": start_over | urgency, "idle_work": proceed | urgency,
        "kernel_expire": set(_EXPIRE), "expire": set(_EXPIRE), "run": set(_EXPIRE),
        "kernel_tick": set(_EXPIRE), "alarm_expire": acts, "thread_leave_waiting": set(_CANCEL),
    }  # fmt: skip


def _read(tree: Tree, graphs: Iterable[Path]) -> Calls:
    used: dict[str, int] = dict.fromkeys(_IN_ASSEMBLER, 0)
    targets: dict[str, set[str]] = {name: set(calls) for name, calls in _IN_ASSEMBLER.items()}
    for text in (file.read_text() for file in graphs):
        for title, size, kind in _NODE.findall(text):
            if kind != "static":
                raise TestError(f"the stack of {title} is {kind}: it has no bound")
            used[_short(title)] = int(size)
        for source, target in _EDGE.findall(text):
            targets.setdefault(_short(source), set()).add(_short(target))
    pointers = _by_pointer(tree, used)
    for name, called in targets.items():
        if _INDIRECT in called:
            bare = name.rsplit(":", 1)[-1].split(".")[0]
            if bare not in pointers:
                raise TestError(f"{name} calls by a pointer; stack_depth.py does not say what")
            targets[name] = (called - {_INDIRECT}) | pointers[bare]
    return Calls(used, targets)


def _add_options(tree: Tree, folder: Path) -> None:
    """Adds the optional kernel parts of other declarations to a declaration."""
    places = [folder, *(folder / name for name in _OTHERS)]
    for name, place in zip(_OTHERS, places[1:], strict=True):
        place.mkdir()
        tree.declare(place, tree.bulkhead / "test" / "target" / f"{name}.toml")
    for name in ("kernel_features.h", "kernel_options.c"):
        lines = [line for place in places for line in (place / name).read_text().splitlines()]
        kept = [line for line in lines if line.startswith("#") and line[-2:] != " 0"]
        (folder / name).write_text("\n".join((*dict.fromkeys(kept), "")))


def _compile(tree: Tree, folder: Path, level: str) -> Iterator[Path]:
    """Compiles the kernel of the declaration with most kinds of objects; yields the graphs."""
    image = attack(tree.core, 1, 1, 1)
    tree.declare_image(folder, image)
    _add_options(tree, folder)
    compiler = tree.compiler_of(image, folder, level)
    files = dict(tree.files(folder, image))
    files |= {f"kernel_tables_{name}": folder / name / "kernel_tables.c" for name in _OTHERS}
    for stem, file in sorted(files.items()):
        if stem.startswith(_COMPILED) and file.suffix == ".c":
            built = folder / f"{stem}.o"
            run([*compiler, "-fcallgraph-info=su", "-c", file, "-o", built])
            yield built.with_suffix(".ci")


def _methods(tree: Tree) -> list[str]:
    """Returns the names of the kernel functions that system calls execute."""
    text = (tree.bulkhead / "core" / "methods.h").read_text()
    return re.findall(r"^MUST_USE struct thread \*(\w+)\(", text, re.MULTILINE)


def bound(tree: Tree, folder: Path, level: str) -> int:
    """Returns the bytes that the kernel's stack needs."""
    folder.mkdir()
    calls = _read(tree, list(_compile(tree, folder, level)))
    handlers = [name for name in calls.bytes if name.endswith("_Handler")]
    in_call = ENTRY_BYTES + calls.deepest([*_methods(tree), "arch_thread_fault"])
    in_call = max(in_call, SWITCH_BYTES + calls.deepest(_IN_SWITCH))
    in_interrupt = calls.deepest(handlers)
    fault = FRAME_BYTES + calls.depth("arch_kernel_fault")
    entered = max(in_call, FRAME_BYTES + in_interrupt)  # an interrupt may interrupt the switch
    worst = max(entered + fault, calls.depth("bulkhead_start"))
    _require_room(tree, worst + FRAME_BYTES + calls.depth("arch_watchdog_pc"))
    return worst


def _require_room(tree: Tree, bytes_with_nmi: int) -> None:
    if bytes_with_nmi > _reserved(tree):
        raise TestError(f"the kernel's stack has no room for an NMI: {bytes_with_nmi} bytes")


def _reserved(tree: Tree) -> int:
    """Returns the bytes that every declaration reserves for the kernel's stack."""
    text = (tree.bulkhead / "tools" / "bulkhead_declare" / "placement.py").read_text()
    found = re.search(r"^KERNEL_STACK_BYTES = (\d+)$", text, re.MULTILINE)
    assert found
    return int(found[1])


def check(folder: Path, tree: Tree, levels: Iterable[str]) -> str:
    reserved = _reserved(tree)
    found = {level: bound(tree, folder / level, level) for level in levels}
    worst = max(found.values())
    said = ", ".join(f"{size} at -{level}" for level, size in found.items())
    if worst > reserved:
        raise TestError(f"the kernel's stack has {reserved} bytes and needs {said}")
    return f"the kernel's stack needs at most {said} of its {reserved} bytes"
