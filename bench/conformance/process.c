// SPDX-License-Identifier: MIT
//
// `process`: a task may use the objects that its process owns or that name its process as a user; a
// call on any other object fails and has no effect.
#include "processes.h"

static const struct bench_semaphore shared = {0}, of_first = {1};
static volatile int tried;

static void intruder(void) {
    BENCH_REQUIRE(bench_semaphore_take(of_first, BENCH_NO_WAIT) != BENCH_OK,
                  "process: a task took another process's semaphore");
    BENCH_REQUIRE(bench_semaphore_give(of_first) != BENCH_OK,
                  "process: a task gave another process's semaphore");
    tried = 1;
    REQUIRE_OK(bench_semaphore_take(shared, BENCH_FOREVER), "process: a declared user was refused");
    bench_fail("semaphore: taken without a give");
}

static void prover(void) {
    BENCH_MARK("begin");
    BENCH_REQUIRE(tried, "start: a higher task did not run before a lower one");
    REQUIRE_OK(bench_semaphore_take(of_first, BENCH_NO_WAIT), "process: the owner was refused");
    REQUIRE_TIMED_OUT(bench_semaphore_take(of_first, BENCH_NO_WAIT),
                      "process: a refused call had an effect");
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK_OF(SECOND, intruder, 5),
    TASK_OF(FIRST, prover, 10),
};

static const struct bench_semaphore_declaration semaphores[] = {
    {.initial = 0, .maximum = 1, .process = FIRST, .users = BOTH},
    {.initial = 1, .maximum = 2, .process = FIRST},
};

const struct bench_scenario bench_scenario = {.name = "process",
                                              BENCH_TASKS(tasks),
                                              BENCH_PROCESSES(processes),
                                              BENCH_SEMAPHORES(semaphores)};
