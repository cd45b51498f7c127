// SPDX-License-Identifier: MIT
//
// Semaphore shuffle: a high task requests a semaphore that a low task owns, and acquires it when
// the low task releases it.
//
// As defined in 1989: from the release to the blocked task. As defined in 1990: from the request to
// the grant, less the owner's running time, the interval from "owner.runs" to "release".
#include "../shared/tasks.h"

static const struct bench_semaphore owned = {0}, start = {1};
static volatile uint32_t requested, granted;

static void high(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(start, BENCH_FOREVER), "a take without timeout failed");
        requested++;
        BENCH_MARK("request");
        const enum bench_status status = bench_semaphore_take(owned, BENCH_FOREVER);
        BENCH_MARK("granted");
        BENCH_REQUIRE(status == BENCH_OK, "a take without timeout failed");
        granted++;
        REQUIRE_OK(bench_semaphore_give(owned), "a semaphore at 0 could not be given");
    }
}

static void low(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(owned, BENCH_FOREVER),
                   "a semaphore at 1 could not be taken");
        const enum bench_status started = bench_semaphore_give(start);
        BENCH_MARK("owner.runs");
        BENCH_REQUIRE(started == BENCH_OK, "a semaphore at 0 could not be given");
        BENCH_REQUIRE(requested == granted + 1, "a task took a semaphore that another task owns");
        BENCH_MARK("release");
        const enum bench_status released = bench_semaphore_give(owned);
        BENCH_REQUIRE(released == BENCH_OK, "a semaphore at 0 could not be given");
        BENCH_REQUIRE(requested == granted, "the higher task that was woken did not run at once");
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(high, HIGH_PRIORITY),
    TASK(low, LOW_PRIORITY),
};

static const struct bench_semaphore_declaration semaphores[] = {
    {.initial = 1, .maximum = 1},
    {.initial = 0, .maximum = 1},
};

const struct bench_scenario bench_scenario = {
    .name = "semaphore-shuffle", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
