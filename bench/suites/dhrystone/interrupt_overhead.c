// SPDX-License-Identifier: MIT
//
// A task requests an interrupt through the kernel: it gives a semaphore to a task of higher
// priority, which runs and waits again.
#include "../shared/preemption.h"
#include "background.h"

static void user(void) {
    use_at_each_tick(cause_event, USES);
}

static const struct bench_task_declaration tasks[] = {
    TASK(high, HIGH_PRIORITY),
    TASK(user, LOW_PRIORITY),
    DHRYSTONE,
};

const struct bench_scenario bench_scenario = {.name = "interrupt-overhead",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(interrupts)};
