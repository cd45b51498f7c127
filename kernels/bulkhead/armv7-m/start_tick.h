// SPDX-License-Identifier: MIT
//
// Starts the tick: on Armv7-M the platform's SysTick.
#ifndef START_TICK_H
#define START_TICK_H

#include <arch/tick.h>
#include <bulkhead/start.h>

static inline void start_tick(void) {
    arch_tick_start(BENCH_TICK_HZ, BULKHEAD_EXCEPTION_PRIORITY);
}

#endif
