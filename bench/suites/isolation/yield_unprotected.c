// SPDX-License-Identifier: MIT
//
// Two tasks yield to each other; the scenario declares no process. On a kernel without isolation it
// is the comparison for yield-across-processes; on an isolating kernel it shows the protection that
// the configuration chooses.
#include "../shared/yield.h"
#include "isolation.h"

static const struct bench_task_declaration tasks[] = {
    TASK_OF(FIRST, partner, HIGH_PRIORITY),
    TASK_OF(FIRST, partner, HIGH_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "yield-unprotected", BENCH_TASKS(tasks)};
