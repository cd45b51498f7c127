// SPDX-License-Identifier: MIT
//
// A high task takes a semaphore that a low task gives, as in semaphore_blocking.c, but the high
// task takes the semaphore with a timeout, which never ends. A kernel arms a timer for each wait
// and disarms it for each wake-up.
#include "services.h"

enum { TIMEOUT_TICKS = 10000 }; // longer than any run

static const struct bench_semaphore semaphore = {0};

static volatile uint32_t given, taken;

static void waiter(void) {
    for (;;) {
        BENCH_MARK("wait.before");
        const enum bench_status status = bench_semaphore_take(semaphore, TIMEOUT_TICKS);
        BENCH_MARK("wait.after");
        BENCH_REQUIRE(status == BENCH_OK, "a take failed before its timeout");
        taken++;
        BENCH_REQUIRE(taken == given, "a task was woken before its semaphore was given");
    }
}

static void low(void) {
    for (;;) {
        given++;
        BENCH_MARK("signal.before");
        const enum bench_status status = bench_semaphore_give(semaphore);
        BENCH_MARK("signal.after");
        BENCH_REQUIRE(status == BENCH_OK, "a semaphore at 0 could not be given");
        BENCH_REQUIRE(taken == given, "the higher task that was woken did not run at once");
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(low, LOW_PRIORITY),
    TASK(waiter, HIGH_PRIORITY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

const struct bench_scenario bench_scenario = {
    .name = "semaphore-timed", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
