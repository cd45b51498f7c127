// SPDX-License-Identifier: MIT
//
// `semaphore.timeout`: a take without a count fails after its timeout and not before; it takes
// no count that is given later.
#include "conformance.h"

enum { TIMEOUT_TICKS = 2 };

static const struct bench_semaphore semaphore = {0};

static void prover(void) {
    BENCH_MARK("begin");
    const uint32_t start = bench_ticks();
    REQUIRE_TIMED_OUT(bench_semaphore_take(semaphore, TIMEOUT_TICKS),
                      "semaphore: a take at 0 succeeded");
    BENCH_REQUIRE(bench_ticks() - start >= TIMEOUT_TICKS, "semaphore: timed out too early");
    REQUIRE_OK(bench_semaphore_give(semaphore), "semaphore: refused below its maximum");
    REQUIRE_OK(bench_semaphore_take(semaphore, TIMEOUT_TICKS), "semaphore: lost a count");
    proved();
}

static const struct bench_task_declaration tasks[] = {TASK(prover, 10, BENCH_READY)};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

const struct bench_scenario bench_scenario = {
    .name = "semaphore-timeout", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
