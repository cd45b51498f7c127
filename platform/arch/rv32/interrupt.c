// SPDX-License-Identifier: MIT
//
// Serves the interrupts requested by software (arch/interrupt.h).
//
// Handlers are weak symbols: a port installs one by defining it. An interrupt without a handler
// fails the run, so no interrupt is ignored.
#include <arch/interrupt.h>
#include <bench/port.h>
#include <platform/lines.h>

#define WEAK(name) void name(void) __attribute__((weak, alias("interrupt_unhandled")));
#define ENTRY(name) name,

// An alias must name a function of the same file.
__attribute__((used)) static void interrupt_unhandled(void) {
    bench_fail("interrupt without a handler");
}

PLATFORM_EACH_LINE(WEAK)

static void (*const handlers[ARCH_INTERRUPT_LINES])(void) = {PLATFORM_EACH_LINE(ENTRY)};

void arch_interrupt_serve(void) {
    const uint32_t claim = ARCH_WORD(ARCH_PLIC_CLAIM);
    const uint32_t line = ARCH_BYTE(ARCH_UART_SCR) % ARCH_INTERRUPT_LINES;
    ARCH_BYTE(ARCH_UART_IER) = 0;
    handlers[line]();
    ARCH_WORD(ARCH_PLIC_CLAIM) = claim;
}
