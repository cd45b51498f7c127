// SPDX-License-Identifier: MIT
//
// `semaphore`: has its initial count, counts what is given, cannot be taken at 0, and a task of
// higher priority that waits for it pre-empts its giver.
#include "conformance.h"

enum { GIVES = 3 };

static const struct bench_semaphore counting = {0}, awaited = {1};
static volatile unsigned woken;

static void waiter(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(awaited, BENCH_FOREVER),
                   "semaphore: a take without timeout failed");
        woken++;
    }
}

static void prove_counting(void) {
    REQUIRE_OK(bench_semaphore_take(counting, BENCH_NO_WAIT), "semaphore: initial count missing");
    REQUIRE_TIMED_OUT(bench_semaphore_take(counting, BENCH_NO_WAIT), "semaphore: taken at 0");
    for (int i = 0; i < GIVES; i++) {
        REQUIRE_OK(bench_semaphore_give(counting), "semaphore: refused below its maximum");
    }
    for (int i = 0; i < GIVES; i++) {
        REQUIRE_OK(bench_semaphore_take(counting, BENCH_NO_WAIT), "semaphore: lost a count");
    }
    REQUIRE_TIMED_OUT(bench_semaphore_take(counting, BENCH_NO_WAIT), "semaphore: taken at 0");
}

static void prove_waking(void) {
    for (unsigned i = 0; i < GIVES; i++) {
        BENCH_REQUIRE(woken == i, "semaphore: taken without a give");
        REQUIRE_OK(bench_semaphore_give(awaited), "semaphore: refused to wake a waiter");
        BENCH_REQUIRE(woken == i + 1, "semaphore: a higher waiter did not pre-empt its giver");
    }
    REQUIRE_TIMED_OUT(bench_semaphore_take(awaited, BENCH_NO_WAIT),
                      "semaphore: a give both woke a waiter and counted");
}

static void prover(void) {
    BENCH_MARK("begin");
    prove_counting();
    prove_waking();
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(waiter, 6, BENCH_READY),
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_semaphore_declaration semaphores[] = {
    {.initial = 1, .maximum = GIVES},
    {.initial = 0, .maximum = 1},
};

const struct bench_scenario bench_scenario = {
    .name = "semaphore", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
