// SPDX-License-Identifier: MIT
//
// The guard's clock on RV32: mtime. The tick is a number of its counts too.
#ifndef MACHINE_GUARD_H
#define MACHINE_GUARD_H

#include "guard.h"

#define MTIME (*(volatile uint32_t *)0x0200BFF8u)

static inline uint32_t machine_clock(void) {
    return MTIME % GUARD_PERIOD_COUNTS;
}

#endif
