// SPDX-License-Identifier: MIT
//
// The words that the processes of budget.c share, and the ways in which the hog consumes time.
#ifndef BUDGET_H
#define BUDGET_H

#include <stdint.h>

enum hog_way {
    HOG_WAITS,       // consumes nothing
    HOG_SPINS,       // one thread, without a call
    HOG_SPINS_ALL,   // every thread
    HOG_CALLS,       // calls that return at once, and yields among equals
    HOG_OVER_TICK,   // sleeps over each tick, so that none finds it running
    HOG_OVER_PERIOD, // waits until the end of a period, then spins
    HOG_FAULTS,      // faults at once, and is restarted
    HOG_SPINS_FAULT, // spins for most of a tick, then faults
    HOG_STARTS,      // threads that start each other and exit
    HOG_RAISED,      // a thread at its ceiling, above all others
    HOG_TIMERS,      // a thread that a timer wakes at each tick
    HOG_SERVES,      // a server that never answers its client
    HOG_ANSWERS,     // a server that answers after most of a tick, before the next one
    HOG_WAYS,
};

enum { BUDGET_TICKS = 3, BUDGET_PERIOD_TICKS = 10 };

// The judge writes the way, and how many spins are three quarters of a tick.
extern volatile uint32_t hog_way, hog_part_spins, hog_turns;

static inline void spin_times(uint32_t count) {
    for (volatile uint32_t i = 0; i < count; i++) {
    }
}

#endif
