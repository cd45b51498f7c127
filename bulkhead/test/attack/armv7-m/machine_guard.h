// SPDX-License-Identifier: MIT
//
// The clock with which the guard measures its delay on Armv7-M: a timer other than SysTick, which
// counts down from GUARD_PERIOD_COUNTS - 1 (CMSDK APB timer, DDI 0479, 4.2).
#ifndef MACHINE_GUARD_H
#define MACHINE_GUARD_H

#include "guard.h"
#include <machine_places.h>

#define TIMER_VALUE (*(volatile uint32_t *)(MACHINE_TIMER + 4))

static inline uint32_t machine_clock(void) {
    return GUARD_PERIOD_COUNTS - 1 - TIMER_VALUE;
}

#endif
