# SPDX-License-Identifier: MIT
"""Kernels with one check or one step less, each of which a test must catch.

A mutant is a change of the text of one file, which must be there exactly once, so that no mutant
outlives what it changes. It must still build. What it is caught by is the test that names it.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import images
from build import BULKHEAD, BuildError, Image, TestError, Tree

ATTACK = images.attack(seed=1, crafted=500, random=1000)
SECONDS = 20  # of the processor; what does not end is caught too


@dataclass(frozen=True)
class Mutant:
    name: str  # what is missing
    file: str
    old: str
    new: str
    test: str  # "model", "attack", or one of images.TARGET


ENTRY = "arch/armv7-m/entry.S"
COPY = "arch/armv7-m/copy.S"
ARCH = "arch/armv7-m/arch.c"
REGIONS = "arch/armv7-m/regions.h"
FAULT = "arch/armv7-m/fault.c"
PLACEMENT = "tools/bulkhead_declare/placement.py"
LOCAL = "include/bulkhead/local.h"
WORDS = "include/bulkhead/words.h"
SEQUENCES = "test/model/sequences.c"

CHECKS = (
    Mutant("the bound of a handle", ENTRY, "    and r0, r0, r3\n", "", "attack"),
    Mutant(
        "the bound of a method", ENTRY, "    and r12, r12, #BULKHEAD_METHODS - 1\n", "", "attack"
    ),
    Mutant(
        "the right that a message is read with",
        COPY,
        "3:  ldrt r3, [r1]",
        "3:  ldr r3, [r1]",
        "isolation",
    ),
    Mutant(
        "the right that a message is written with",
        COPY,
        "3:  ldr r3, [r1], #4\n    strt",
        "3:  ldr r3, [r1], #4\n    str",
        "isolation",
    ),
    Mutant(
        "the region of a stack",
        "arch/armv7-m/regions.inc",
        "    strd \\base, \\attributes, [\\mpu]\n",
        "",
        "isolation",
    ),
    Mutant(
        "the regions of a process",
        "arch/armv7-m/regions.inc",
        "    stmia \\mpu, {r4-r11}\n",
        "",
        "isolation",
    ),
    Mutant(
        "the page that nobody writes",
        PLACEMENT,
        "PAGE = 1 << 28 | 2 << 24",
        "PAGE = 1 << 28 | 3 << 24",
        "isolation",
    ),
    Mutant("data that is not executed", PLACEMENT, "DATA = 1 << 28 | 3", "DATA = 3", "isolation"),
    Mutant("code that nobody writes", PLACEMENT, "CODE = 6 << 24", "CODE = 3 << 24", "isolation"),
    Mutant("the MPU", REGIONS, "REGIONS_MPU_CONTROL = 5,", "REGIONS_MPU_CONTROL = 0,", "isolation"),
    Mutant(
        "unprivileged threads",
        REGIONS,
        "REGIONS_THREAD_CONTROL = 3,",
        "REGIONS_THREAD_CONTROL = 2,",
        "isolation",
    ),
    Mutant(
        "registers that are cleared for a new thread",
        ARCH,
        "{.pc = (uint32_t)entry & ~1u,",
        "{.pc = (uint32_t)entry & ~1u, .r12 = stack_top,",
        "attack",
    ),
    Mutant(
        "floating-point registers that are cleared",
        "arch/armv7-m/fpu.S",
        "    vldmia r3, {s0-s31}\n",
        "",
        "floating",
    ),
    Mutant(
        "those of a thread that is abandoned",
        ENTRY,
        "    mvn lr, #0x12",
        "    mvn lr, #2",
        "attack",
    ),
    Mutant(
        "faults and calls that are no longer pended",
        FAULT,
        "    SHCSR &= ~SHCSR_PENDED;\n",
        "",
        "attack",
    ),
    Mutant(
        "the kernel's stack that a fault empties",
        ENTRY,
        "    ldr r0, =memory_stack_top\n    mov sp, r0\n    mrs r0, psp\n    push {r0, lr}\n"
        "    push {r4-r11}\n",
        "    mrs r0, psp\n    push {r0, lr}\n    push {r4-r11}\n",
        "attack",
    ),
    Mutant(
        "memory that a restart brings back",
        "core/fault.c",
        "        process_load(&process->memory);\n        launch",
        "        launch",
        "isolation",
    ),
    Mutant(
        "threads that a fault ends",
        "core/fault.c",
        "    end_threads(process);\n",
        "    thread_end(kernel.current, BULKHEAD_PEER_LOST);\n",
        "attack",
    ),
    Mutant(
        "the supervisor that is told",
        "core/fault.c",
        "    if (process->supervisor != NULL) {",
        "    if (false) {",
        "attack",
    ),
    Mutant(
        "the end of time",
        "core/timer.h",
        "return ticks <= INT32_MAX;",
        "return ticks != UINT32_MAX;",
        "attack",
    ),
    Mutant(
        "the holder that alone unlocks",
        "core/mutex.c",
        "    if (*mutex->word != thread_identity(kernel.current)) {",
        "    if (false) {",
        "isolation",
    ),
    Mutant(
        "the right to request an interrupt",
        "tools/bulkhead_declare/rights.py",
        "pends = index in system.processes[process].pends",
        "pends = index not in system.processes[process].pends",
        "isolation",
    ),
    Mutant(
        "that only a server receives",
        "core/gate.c",
        "    if (gate == NULL) {",
        "    if (false) {",
        "calls",
    ),
)

HAND_OVER = (
    Mutant("a take of no count", LOCAL, "if (count <= 0 ||", "if (count < 0 ||", "model"),
    Mutant(
        "a give past waiters",
        LOCAL,
        "    if (count >= semaphore->maximum ||",
        "    if ((int32_t)count >= semaphore->maximum ||",
        "model",
    ),
    Mutant("the mark of waiters of a semaphore", WORDS, "WAITED (-1)", "WAITED 0", "model"),
    Mutant(
        "the mark of waiters that are left",
        "core/semaphore.c",
        "waiters.first == NULL ? 0 : BULKHEAD_SEMAPHORE_WAITED",
        "waiters.first == NULL ? 0 : 0",
        "model",
    ),
    Mutant(
        "the trace of a timeout",
        "core/semaphore.c",
        "    *semaphore->count = 1;\n",
        "    *semaphore->count = 0;\n",
        "model",
    ),
    Mutant(
        "a lock that nothing came between",
        LOCAL,
        "bulkhead_store_exclusive(&mutex->word, self) != 0",
        "(bulkhead_store_exclusive(&mutex->word, self), 0)",
        "model",
    ),
    Mutant(
        "the mark of waiters of a mutex",
        "core/mutex.c",
        "thread_identity(mutex->holder) | BULKHEAD_MUTEX_WAITED",
        "thread_identity(mutex->holder)",
        "model",
    ),
    Mutant(
        "the next holder's name",
        "core/mutex.c",
        "        *mutex->word = thread_identity(next);",
        "        *mutex->word = BULKHEAD_MUTEX_FREE;",
        "model",
    ),
    Mutant(
        "the mark that goes when the last waiter does",
        "core/mutex.c",
        "        *mutex->word = thread_identity(holder);\n",
        "",
        "model",
    ),
    Mutant(
        "the kernel's second look at a queue",
        "core/local_queue.c",
        "    if (may_go_on(queue, side)) {",
        "    if (false && may_go_on(queue, side)) {",
        "model",
    ),
    Mutant(
        "the word that says who waits for a queue",
        "core/local_queue.c",
        "    queue->queue->waited = queue->handle;\n",
        "",
        "model",
    ),
    Mutant(
        "that word while others wait",
        "core/local_queue.c",
        "if (queue->senders.first == NULL && queue->receivers.first == NULL)",
        "if (true)",
        "model",
    ),
    Mutant(
        "the rewind of a sequence",
        SEQUENCES,
        "        goto again; ",
        "        (void)0;    ",
        "model",
    ),
    Mutant(
        "the rewind by the switch",
        ENTRY,
        "    strlo r8, [r1, #FRAME_PC]",
        "    strlo r4, [r1, #FRAME_PC]",
        "positions",
    ),
    Mutant(
        "what a sequence reads anew",
        SEQUENCES,
        "tail, waited;\nagain:\n    STEP(head = queue->head);\n    STEP(tail = queue->tail);\n"
        "    STEP(waited = queue->waited);\n    if (tail - head",
        "tail, waited = queue->waited;\nagain:\n    STEP(head = queue->head);\n"
        "    STEP(tail = queue->tail);\n    if (tail - head",
        "model",
    ),
)

EVERY = (*CHECKS, *HAND_OVER)


def _changed(mutant: Mutant, folder: Path) -> Tree:
    """A copy of the sources with the mutant's change."""
    copy = folder / "bulkhead"
    shutil.copytree(BULKHEAD, copy, ignore=shutil.ignore_patterns("__pycache__"))
    file = copy / mutant.file
    text = file.read_text()
    if text.count(mutant.old) != 1:
        times = text.count(mutant.old)
        raise TestError(f"mutant {mutant.name}: {mutant.file} has its text {times} times, not once")
    file.write_text(text.replace(mutant.old, mutant.new))
    return Tree(copy, warnings=("-w",))


def _run(mutant: Mutant, tree: Tree, folder: Path) -> str:
    if mutant.test == "model":
        return tree.model(folder)
    image: Image = ATTACK if mutant.test == "attack" else images.TARGET[mutant.test]
    return tree.target(folder, image, "O2", SECONDS)


def _is_caught(mutant: Mutant, folder: Path) -> bool:
    folder.mkdir()
    try:
        _run(mutant, _changed(mutant, folder), folder)
    except BuildError as error:
        raise TestError(f"mutant {mutant.name} does not build: {error}") from None
    except TestError as error:
        if str(error).startswith("mutant"):
            raise
        return True
    finally:
        shutil.rmtree(folder)
    return False


def chosen(seed: int, *, long: bool) -> tuple[Mutant, ...]:
    """All of them, or each eighth from a place that the seed chooses."""
    return EVERY if long else EVERY[seed % 8 :: 8]


def require_caught(folder: Path, mutant: Mutant) -> str:
    if not _is_caught(mutant, folder / f"mutant-{EVERY.index(mutant)}"):
        raise TestError(f"a kernel without {mutant.name} passes the test {mutant.test}")
    return f"mutant without {mutant.name}: caught by {mutant.test}"
