// SPDX-License-Identifier: MIT
//
// One task gives a semaphore that no task waits for, and takes it without waiting.
#include "services.h"

enum { CALLER, FIRST_READY, TASKS = FIRST_READY + PARAM_READY };

static const struct bench_semaphore semaphore = {0};

static void caller(void) {
    for (;;) {
        BENCH_MARK("signal.before");
        const enum bench_status given = bench_semaphore_give(semaphore);
        BENCH_MARK("signal.after");
        BENCH_REQUIRE(given == BENCH_OK, "semaphore: a semaphore at 0 could not be given");
        BENCH_MARK("wait.before");
        const enum bench_status taken = bench_semaphore_take(semaphore, BENCH_FOREVER);
        BENCH_MARK("wait.after");
        BENCH_REQUIRE(taken == BENCH_OK, "semaphore: a semaphore at 1 could not be taken");
    }
}

static const struct bench_task_declaration tasks[] = {
    [CALLER] = TASK(caller, LOW_PRIORITY),
    CROWD(FIRST_READY, PARAM_READY, TASKS, stay_ready, IDLE_PRIORITY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

const struct bench_scenario bench_scenario = {
    .name = "semaphore-uncontended", SO_MANY(tasks, TASKS), BENCH_SEMAPHORES(semaphores)};
