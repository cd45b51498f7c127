# SPDX-License-Identifier: MIT
"""Writes the vector table of an Arm image in C (Armv7-M Architecture Reference Manual, DDI 0403E,
B1.5.3).

An exception without a handler enters a loop of breakpoints, so that the system does not continue.
"""

from __future__ import annotations

from collections.abc import Iterator

from bulkhead_declare.model import System

_FIRST_LINE = 16
_NMI = 2  # the interrupt of a watchdog; only the record (core/options/record.c) has a handler
_EXCEPTIONS = {
    1: "Reset_Handler",
    3: "HardFault_Handler",
    4: "MemManage_Handler",
    5: "BusFault_Handler",
    6: "UsageFault_Handler",
    11: "SVC_Handler",
    14: "PendSV_Handler",
    15: "SysTick_Handler",
}


def vectors(system: System) -> str:
    return "\n".join(
        (
            "// SPDX-License-Identifier: MIT",
            "// Made from the declaration.",
            "extern char memory_stack_top[];",
            "extern void (*const bulkhead_vectors[])(void);",
            "static void unexpected(void) {",
            "    for (;;) {",
            '        __asm__ volatile("bkpt 0");',
            "    }",
            "}",
            *_table(system),
            "",
        )
    )


def _table(system: System) -> Iterator[str]:
    own = {_NMI: "NMI_Handler"} if system.records else {}
    lines = {_FIRST_LINE + each.line: each.handler for each in system.interrupts}
    handlers = _EXCEPTIONS | own | lines
    for handler in handlers.values():
        yield f"void {handler}(void);"
    yield '__attribute__((section(".vectors"))) void (*const bulkhead_vectors[])(void) = {'
    yield "    (void (*)(void))memory_stack_top,"
    for number in range(1, max(handlers) + 1):
        yield f"    {handlers.get(number, 'unexpected')},"
    yield "};"
