// SPDX-License-Identifier: MIT
//
// Two tasks that each tick wakes and that use no service: what round robin is compared with.
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
