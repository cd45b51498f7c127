// SPDX-License-Identifier: MIT
//
// Each tick wakes a task that uses no service: the baseline of the other scenarios.
#include "background.h"

static void user(void) {
    use_at_each_tick(use_nothing, USES);
}

static const struct bench_task_declaration tasks[] = {TASK(user, LOW_PRIORITY), DHRYSTONE};

const struct bench_scenario bench_scenario = {.name = "wake-up", BENCH_TASKS(tasks)};
