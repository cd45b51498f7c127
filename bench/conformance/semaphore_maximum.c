// SPDX-License-Identifier: MIT
//
// `semaphore.maximum`: a give at the declared maximum has no effect.
#include "conformance.h"

enum { MAXIMUM = 3 };

static const struct bench_semaphore semaphore = {0};

static void prover(void) {
    BENCH_MARK("begin");
    const enum bench_status beyond = bench_semaphore_give(semaphore);
    BENCH_REQUIRE(beyond == BENCH_OK || beyond == BENCH_REFUSED,
                  "semaphore: a give at its maximum neither succeeded nor was refused");
    for (int i = 0; i < MAXIMUM; i++) {
        REQUIRE_OK(bench_semaphore_take(semaphore, BENCH_NO_WAIT), "semaphore: lost a count");
    }
    REQUIRE_TIMED_OUT(bench_semaphore_take(semaphore, BENCH_NO_WAIT),
                      "semaphore: counted beyond its maximum");
    proved();
}

static const struct bench_task_declaration tasks[] = {TASK(prover, 10, BENCH_READY)};

static const struct bench_semaphore_declaration semaphores[] = {
    {.initial = MAXIMUM, .maximum = MAXIMUM},
};

const struct bench_scenario bench_scenario = {
    .name = "semaphore-maximum", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
