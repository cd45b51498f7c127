// SPDX-License-Identifier: MIT
//
// Tasks of one priority yield to each other in turn. The span runs from before one task's yield to
// the return of the next task from its own.
#include "fpu.h"

enum { TASKS = 1 + PARAM_TASKS };

static volatile uint32_t turns, calm_from, last_tick;

// Returns whether no tick came in the last two rounds. If a tick switches away from a task before
// its yield, the task yields as soon as it runs again, so the order of one round is another one.
static bool is_calm(void) {
    const uint32_t tick = bench_ticks();
    if (tick != last_tick) {
        last_tick = tick;
        calm_from = turns + 2 * TASKS;
    }
    return turns >= calm_from;
}

// The kernel chooses which task starts; the first round determines the order.
static void require_order(uint32_t place) {
    BENCH_REQUIRE(last_tick != 0 || turns % TASKS == place,
                  "wrong order: not the equal task that waited longest");
}

static void take_turns(void) {
    static volatile uint32_t arrivals;
    const uint32_t place = arrivals++;
    float kept = (float)place;
    for (;;) {
        require_order(place);
        const uint32_t before = ++turns;
        kept = compute(kept, (float)place);
        BENCH_MARK("yield.before");
        bench_task_yield();
        BENCH_MARK("yield.after");
        const bool calm = is_calm();
        BENCH_REQUIRE(turns != before || !calm, "yield without a switch");
    }
}

static const struct bench_task_declaration tasks[] = {
    [0 ... TASKS - 1] = FPU_TASK(take_turns, HIGH_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "cooperative-switch", BENCH_TASKS(tasks)};
