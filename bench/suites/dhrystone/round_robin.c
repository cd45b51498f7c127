// SPDX-License-Identifier: MIT
//
// Two tasks of one priority, woken by the same tick, yield to each other in turn. One use is one
// yield.
#include "background.h"

static volatile uint32_t turns;

static void take_turn(void) {
    const uint32_t before = ++turns;
    bench_task_yield();
    const bool is_alone = before % USES == 0; // the other has had its turns of this tick
    BENCH_REQUIRE(turns != before || is_alone, "yield without a switch");
}

static void user(void) {
    use_at_each_tick(take_turn, USES / 2);
}

static const struct bench_task_declaration tasks[] = {
    TASK(user, LOW_PRIORITY),
    TASK(user, LOW_PRIORITY),
    DHRYSTONE,
};

const struct bench_scenario bench_scenario = {.name = "round-robin", BENCH_TASKS(tasks)};
