// SPDX-License-Identifier: MIT
//
// One task takes a semaphore that is free, and gives it back.
#include "../shared/tasks.h"

static const struct bench_semaphore semaphore = {0};

static void caller(void) {
    for (;;) {
        BENCH_MARK("get.before");
        const enum bench_status taken = bench_semaphore_take(semaphore, BENCH_FOREVER);
        const enum bench_status given = bench_semaphore_give(semaphore);
        BENCH_MARK("release.after");
        BENCH_REQUIRE(taken == BENCH_OK, "semaphore: a semaphore at 1 could not be taken");
        BENCH_REQUIRE(given == BENCH_OK, "semaphore: a semaphore at 0 could not be given");
    }
}

static const struct bench_task_declaration tasks[] = {TASK(caller, LOW_PRIORITY)};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 1, .maximum = 1}};

const struct bench_scenario bench_scenario = {
    .name = "semaphore", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
