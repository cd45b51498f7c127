// SPDX-License-Identifier: MIT
//
// The semaphore is bound to the interrupt, in the way that the kernel has for it: the path that
// every kernel has, whether it lets an application handle interrupts or not.
#include "interrupt_to_task.h"

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_POSTS, .object = 0},
};

const struct bench_scenario bench_scenario = {.name = "interrupt-request-to-task",
                                              SO_MANY(tasks, TASKS),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(interrupts)};
