// SPDX-License-Identifier: MIT
//
// Serves the interrupts of the GIC (arch/interrupt.h).
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

WEAK(SysTick_Handler)
PLATFORM_EACH_LINE(WEAK)

static void (*const handlers[ARCH_INTERRUPT_LINES])(void) = {PLATFORM_EACH_LINE(ENTRY)};

void arch_interrupts_begin(void) {
    ARCH_WORD(ARCH_GICD_CTLR) = 1;
    ARCH_WORD(ARCH_GICC_PMR) = ARCH_GIC_LOWEST_PRIORITY;
    ARCH_WORD(ARCH_GICC_BPR) = 0;
    ARCH_WORD(ARCH_GICC_CTLR) = 1;
}

void arch_interrupt_serve(uint32_t acknowledged) {
    const uint32_t number = acknowledged & ARCH_GIC_INTERRUPT;
    if (number == ARCH_TIMER_INTERRUPT) {
        SysTick_Handler();
    } else if (number < ARCH_INTERRUPT_LINES) {
        handlers[number]();
    } else {
        interrupt_unhandled();
    }
}
