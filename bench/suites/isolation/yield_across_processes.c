// SPDX-License-Identifier: MIT
//
// Two tasks, each in a process of its own, yield to each other.
#include "../shared/yield.h"
#include "isolation.h"

static const struct bench_task_declaration tasks[] = {
    TASK_OF(FIRST, partner, HIGH_PRIORITY),
    TASK_OF(SECOND, partner, HIGH_PRIORITY),
};

const struct bench_scenario bench_scenario = {
    .name = "yield-across-processes", BENCH_TASKS(tasks), BENCH_PROCESSES(processes)};
