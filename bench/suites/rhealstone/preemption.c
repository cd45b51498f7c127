// SPDX-License-Identifier: MIT
//
// Preemption: the kernel recognises an external event, an interrupt, and gives the processor from
// the running task to a higher one that waited for it.
#include "../shared/preemption.h"

static void low(void) {
    for (;;) {
        cause_event();
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(high, HIGH_PRIORITY),
    TASK(low, LOW_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "preemption",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(interrupts)};
