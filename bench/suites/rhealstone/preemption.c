// SPDX-License-Identifier: MIT
//
// Preemption: the kernel recognises an external event (an interrupt) and switches from the running
// task to a task of higher priority that waited for the event.
#include "../shared/preemption.h"

static const struct bench_task_declaration tasks[] = {
    TASK(high, HIGH_PRIORITY),
    TASK(low, LOW_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "preemption",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(interrupts)};
