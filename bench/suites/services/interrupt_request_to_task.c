// SPDX-License-Identifier: MIT
//
// An interrupt wakes a task: the kernel gives the semaphore by its own means (a handler of the
// port, or a binding at build time). Every kernel has this path, whether or not it lets an
// application handle interrupts.
#include "interrupt_to_task.h"

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_POSTS, .object = 0},
};

const struct bench_scenario bench_scenario = {.name = "interrupt-request-to-task",
                                              SO_MANY(tasks, TASKS),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(interrupts)};
