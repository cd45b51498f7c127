// SPDX-License-Identifier: MIT
//
// State that late.c shares with the process whose timers are late (late_timers.c).
#ifndef LATE_H
#define LATE_H

#include <stdint.h>

enum { TIMERS = 50, PERIOD_TICKS = 7 };

struct late {
    uint32_t timers;     // number of running timers; 0 stops them
    uint32_t expired;    // number of expirations: counts of the semaphore that the timers give
    uint32_t first_tick; // tick at which the timers were started
    // Number of expirations at a tick that is not a multiple of the period after first_tick.
    uint32_t misplaced;
};

extern volatile struct late late;

#endif
