// SPDX-License-Identifier: MIT
//
// State that the prover of late.c shares with the process whose timers are late (late_timers.c).
#ifndef LATE_H
#define LATE_H

#include <stdint.h>

enum { TIMERS = 50, PERIOD_TICKS = 7 };

struct late {
    uint32_t timers;     // number of running timers; 0 stops them
    uint32_t expired;    // counts that they have posted
    uint32_t first_tick; // the timers were started at this tick …
    uint32_t misplaced;  // … and posted so often at a tick without a release
};

extern volatile struct late late;

#endif
