// SPDX-License-Identifier: MIT
//
// An interrupt wakes a task: the application's own interrupt handler gives the semaphore.
#include "interrupt_to_task.h"

static void handler(void) {
    BENCH_MARK("handler.signals");
    REQUIRE_OK(bench_semaphore_give_from_interrupt(semaphore),
               "interrupt: the handler's give was refused");
}

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_HANDLER, .handler = handler},
};

const struct bench_scenario bench_scenario = {.name = "interrupt-to-task",
                                              SO_MANY(tasks, TASKS),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(interrupts)};
