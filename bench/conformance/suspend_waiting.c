// SPDX-License-Identifier: MIT
//
// `suspend`: a task that waits for a semaphore does not run while it is suspended, whatever happens
// to the semaphore; after its resume it still waits, or has the count that was given meanwhile.
#include "conformance.h"

enum { WAITER, PROVER };

static const struct bench_task waiter_task = {WAITER};
static const struct bench_semaphore semaphore = {0};
static volatile unsigned woken;

static void waiter(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(semaphore, BENCH_FOREVER),
                   "semaphore: a take without timeout failed");
        woken++;
    }
}

static void prover(void) {
    BENCH_MARK("begin");
    REQUIRE_OK(bench_task_suspend(waiter_task), "suspend: failed for a waiting task");
    REQUIRE_OK(bench_task_resume(waiter_task), "resume: failed for a suspended task");
    BENCH_REQUIRE(woken == 0, "resume: ended a wait");
    REQUIRE_OK(bench_task_suspend(waiter_task), "suspend: failed for a waiting task");
    REQUIRE_OK(bench_semaphore_give(semaphore), "semaphore: refused below its maximum");
    BENCH_REQUIRE(woken == 0, "suspend: a suspended task ran when its wait ended");
    REQUIRE_OK(bench_task_resume(waiter_task), "resume: failed for a suspended task");
    BENCH_REQUIRE(woken == 1, "suspend: a task lost what was given while it was suspended");
    proved();
}

static const struct bench_task_declaration tasks[] = {
    [WAITER] = TASK(waiter, 5, BENCH_READY),
    [PROVER] = TASK(prover, 10, BENCH_READY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

const struct bench_scenario bench_scenario = {
    .name = "suspend-waiting", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
