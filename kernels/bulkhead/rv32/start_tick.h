// SPDX-License-Identifier: MIT
//
// The tick on RV32 is the kernel's, at the platform's rate.
#ifndef START_TICK_H
#define START_TICK_H

#include <arch/tick.h>
#include <bulkhead/tick.h>

static inline void start_tick(void) {
    bulkhead_tick_start(ARCH_TICK_COUNTS);
}

#endif
