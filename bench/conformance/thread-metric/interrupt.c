// SPDX-License-Identifier: MIT
//
// `interrupt`: when the call that causes it returns, the interrupt has been taken once and has
// given the semaphore. The event log proves that it was an exception (suite.toml: external).
#include "tm_conformance.h"

enum { ROUNDS = 3 };

static void prover(void) {
    REQUIRE_SUCCESS(tm_semaphore_get(0), "semaphore: initial count missing");
    BENCH_MARK("begin");
    for (int round = 0; round < ROUNDS; round++) {
        TM_CAUSE_INTERRUPT;
        REQUIRE_SUCCESS(tm_semaphore_get(0), "interrupt: its semaphore was not given");
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {TASK(prover, 10, BENCH_READY)};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 1, .maximum = 1}};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_POSTS, .object = 0},
};

const struct bench_scenario bench_scenario = {.name = "tm-interrupt",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(interrupts)};
