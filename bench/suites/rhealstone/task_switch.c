// SPDX-License-Identifier: MIT
//
// Task switch: two ready tasks of equal priority yield the processor to each other.
#include "../shared/yield.h"

static const struct bench_task_declaration tasks[] = {
    TASK(partner, HIGH_PRIORITY),
    TASK(partner, HIGH_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "task-switch", BENCH_TASKS(tasks)};
