// SPDX-License-Identifier: MIT
//
// Task switch: two tasks of equal priority, both ready, give each other the processor.
#include "rhealstone.h"

static volatile uint32_t turns, last_tick, calm_from;

// Equals may also take turns by the tick; then one round has no switch of its own.
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
        BENCH_MARK("switch.before");
        bench_task_yield();
        BENCH_MARK("switch.after");
        const bool calm = is_calm();
        BENCH_REQUIRE(turns != before || !calm, "yield without a switch");
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(partner, HIGH_PRIORITY),
    TASK(partner, HIGH_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "task-switch", BENCH_TASKS(tasks)};
