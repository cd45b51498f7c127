// SPDX-License-Identifier: MIT
//
// Shared by the proofs of `interrupt` and `interrupt-line`: an interrupt that gives a semaphore,
// and a task of higher priority that waits for it. Each including file defines the prover.
#ifndef CONFORMANCE_POSTING_H
#define CONFORMANCE_POSTING_H

#include "conformance.h"

static const struct bench_semaphore posted = {0};
static volatile unsigned woken;

static void waiter(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(posted, BENCH_FOREVER),
                   "semaphore: a take without timeout failed");
        woken++;
    }
}

static void prover(void);

static const struct bench_task_declaration tasks[] = {
    TASK(waiter, 5, BENCH_READY),
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_POSTS, .object = 0},
};

#define POSTING_SCENARIO(scenario_name) \
    {.name = (scenario_name),           \
     BENCH_TASKS(tasks),                \
     BENCH_SEMAPHORES(semaphores),      \
     BENCH_INTERRUPTS(interrupts)}

#endif
