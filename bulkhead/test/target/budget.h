// SPDX-License-Identifier: MIT
//
// The words that the processes of budget.c share, and the ways in which the hostile process (the
// hog) consumes processor time.
#ifndef BUDGET_H
#define BUDGET_H

#include <stdint.h>

enum hog_way {
    HOG_WAITS,       // consumes nothing
    HOG_SPINS,       // one thread runs without making a call
    HOG_SPINS_ALL,   // every thread of the process runs without making a call
    HOG_CALLS,       // makes calls that return at once, and yields to threads of equal priority
    HOG_OVER_TICK,   // sleeps at each tick, so that no tick interrupts a thread of the hog
    HOG_OVER_PERIOD, // waits until the end of a period, then spins
    HOG_FAULTS,      // faults at once, and is restarted
    HOG_SPINS_FAULT, // spins for most of a tick, then faults
    HOG_STARTS,      // its threads start each other and exit
    // A thread raises itself to the process's highest allowed priority, above all other threads.
    HOG_RAISED,
    HOG_TIMERS,  // a timer wakes a thread at each tick
    HOG_SERVES,  // a server that never answers its client
    HOG_ANSWERS, // a server that answers after most of a tick, before the next one
    HOG_WAYS,
};

enum { BUDGET_TICKS = 3, BUDGET_PERIOD_TICKS = 10 };

// The judge writes `hog_way`, and in `hog_part_spins` how many turns of spin_times() take three
// quarters of a tick. The hog counts its turns in `hog_turns`.
extern volatile uint32_t hog_way, hog_part_spins, hog_turns;

static inline void spin_times(uint32_t count) {
    for (volatile uint32_t i = 0; i < count; i++) {
    }
}

#endif
