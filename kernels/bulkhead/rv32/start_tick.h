// SPDX-License-Identifier: MIT
//
// Starts the tick: on RV32 the kernel has its own tick, with the platform's rate.
#ifndef START_TICK_H
#define START_TICK_H

#include <arch/tick.h>
#include <bulkhead/tick.h>

static inline void start_tick(void) {
    bulkhead_tick_start(ARCH_TICK_COUNTS);
}

#endif
