// SPDX-License-Identifier: MIT
//
// A task that each tick wakes and that uses no service: what the other scenarios have in common.
#include "background.h"

static void user(void) {
    use_at_each_tick(use_nothing, USES);
}

static const struct bench_task_declaration tasks[] = {TASK(user, LOW_PRIORITY), DHRYSTONE};

const struct bench_scenario bench_scenario = {.name = "wake-up", BENCH_TASKS(tasks)};
