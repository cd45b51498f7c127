// SPDX-License-Identifier: MIT
//
// Starts the tick of port.c; kernels/null/rv32 has the other file of this name.
#ifndef NULL_PORT_START_H
#define NULL_PORT_START_H

#include <arch/tick.h>

enum { TICK_PRIORITY = 0xFF };

// Starts the tick, whose handler is SysTick_Handler (port.c).
static inline void start_tick(void) {
    arch_tick_start(BENCH_TICK_HZ, TICK_PRIORITY);
}

#endif
