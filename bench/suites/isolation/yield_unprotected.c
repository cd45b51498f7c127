// SPDX-License-Identifier: MIT
//
// No process is declared: on a kernel that isolates nothing, what yielding across processes is to
// be compared with; on an isolating one, whatever its configuration makes of it.
#include "../shared/yield.h"
#include "isolation.h"

static const struct bench_task_declaration tasks[] = {
    TASK_OF(FIRST, partner, HIGH_PRIORITY),
    TASK_OF(FIRST, partner, HIGH_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "yield-unprotected", BENCH_TASKS(tasks)};
