// SPDX-License-Identifier: MIT
//
// Each tick wakes two tasks that use no service: the baseline of round-robin.
#include "background.h"

static void user(void) {
    use_at_each_tick(use_nothing, USES / 2);
}

static const struct bench_task_declaration tasks[] = {
    TASK(user, LOW_PRIORITY),
    TASK(user, LOW_PRIORITY),
    DHRYSTONE,
};

const struct bench_scenario bench_scenario = {.name = "two-wake-ups", BENCH_TASKS(tasks)};
