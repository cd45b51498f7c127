// SPDX-License-Identifier: MIT
//
// The clock with which the guard measures its delay on RV32: mtime, whose counts are also the unit
// of the tick.
#ifndef MACHINE_GUARD_H
#define MACHINE_GUARD_H

#include "guard.h"

#define MTIME (*(volatile uint32_t *)0x0200BFF8u)

static inline uint32_t machine_clock(void) {
    return MTIME % GUARD_PERIOD_COUNTS;
}

#endif
