// SPDX-License-Identifier: MIT
//
// Response of a task to an interrupt, which a task of lower priority requests and the kernel
// serves: from the request until the task that waited for it runs.
#include "../shared/preemption.h"

static const struct bench_task_declaration tasks[] = {
    TASK(high, HIGH_PRIORITY),
    TASK(low, LOW_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "interrupt-to-task",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(interrupts)};
