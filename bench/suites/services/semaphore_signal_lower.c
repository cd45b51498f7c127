// SPDX-License-Identifier: MIT
//
// A high task gives a semaphore that lower tasks wait for: one of them becomes ready, and the
// kernel switches nothing. A third task of still lower priority starts the next round when all the
// others wait again.
#include "services.h"

enum {
    HIGH,
    LOWEST,
    FIRST_WAITER,
    FIRST_READY = FIRST_WAITER + PARAM_WAITERS,
    TASKS = FIRST_READY + PARAM_READY
};
enum { LOWEST_PRIORITY = 15 };

static const struct bench_semaphore semaphore = {0}, next_round = {1};

static volatile uint32_t given, taken;

static void high(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(next_round, BENCH_FOREVER),
                   "a take without timeout failed");
        given++;
        BENCH_MARK("signal.before");
        const enum bench_status status = bench_semaphore_give(semaphore);
        BENCH_MARK("signal.after");
        BENCH_REQUIRE(status == BENCH_OK, "a semaphore at 0 could not be given");
        BENCH_REQUIRE(taken == given - 1, "a lower task ran before a higher one");
    }
}

static void waiter(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(semaphore, BENCH_FOREVER), "a take without timeout failed");
        taken++;
    }
}

static void lowest(void) {
    for (;;) {
        BENCH_REQUIRE(taken == given, "a task that was woken did not run before a lower one");
        REQUIRE_OK(bench_semaphore_give(next_round), "a semaphore at 0 could not be given");
    }
}

static const struct bench_task_declaration tasks[] = {
    [HIGH] = TASK(high, HIGH_PRIORITY),
    [LOWEST] = TASK(lowest, LOWEST_PRIORITY),
    [FIRST_WAITER... FIRST_READY - 1] = TASK(waiter, LOW_PRIORITY),
    CROWD(FIRST_READY, PARAM_READY, TASKS, stay_ready, IDLE_PRIORITY),
};

static const struct bench_semaphore_declaration semaphores[] = {
    {.initial = 0, .maximum = 1},
    {.initial = 0, .maximum = 1},
};

const struct bench_scenario bench_scenario = {
    .name = "semaphore-signal-lower", SO_MANY(tasks, TASKS), BENCH_SEMAPHORES(semaphores)};
