// SPDX-License-Identifier: MIT
//
// Two tasks of one priority, both ready, yield to each other.
#ifndef SHARED_YIELD_H
#define SHARED_YIELD_H

#include "tasks.h"

static volatile uint32_t turns, last_tick, calm_from;

// A kernel may also switch between tasks of equal priority at a tick. The yield after such a tick
// then switches no task.
static bool is_calm(void) {
    const uint32_t tick = bench_ticks();
    if (tick != last_tick) {
        last_tick = tick;
        calm_from = turns + 4;
    }
    return turns >= calm_from;
}

static void partner(void) {
    for (;;) {
        const uint32_t before = ++turns;
        BENCH_MARK("yield.before");
        bench_task_yield();
        BENCH_MARK("yield.after");
        const bool calm = is_calm();
        BENCH_REQUIRE(turns != before || !calm, "yield without a switch");
    }
}

#endif
