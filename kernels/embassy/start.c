// SPDX-License-Identifier: MIT
//
// Functions of the platform, which are inline in C, for src/kernel.rs.
#include <arch/interrupt.h>
#include <arch/tick.h>

void start_tick(void);
void start_tick(void) {
    arch_tick_start(BENCH_TICK_HZ, ARCH_INTERRUPT_PRIORITY);
}

void enable_interrupt(void);
void enable_interrupt(void) {
    arch_interrupt_enable(0);
}

void set_line_priority(uint32_t line, uint8_t priority);
void set_line_priority(uint32_t line, uint8_t priority) {
    ARCH_NVIC_PRIORITY[line] = priority;
}
