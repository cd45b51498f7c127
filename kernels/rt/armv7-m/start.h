// SPDX-License-Identifier: MIT
//
// Sets up the kernel's exceptions at the start; kernels/rt/rv32 has the other file of this name.
#ifndef RT_PORT_START_H
#define RT_PORT_START_H

#include <arch/tick.h>

// The kernel's README, "Cortex-M", requires SVCall and PendSV at the lowest priority and SysTick
// not lower than them.
static inline void start_exceptions(void) {
    volatile uint8_t *const svcall = (volatile uint8_t *)0xE000ED1Fu;
    volatile uint8_t *const pendsv = (volatile uint8_t *)0xE000ED22u;
    *svcall = 0xFF;
    *pendsv = 0xFF;
    arch_tick_start(BENCH_TICK_HZ, 0xFE);
}

#endif
