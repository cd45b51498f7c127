// SPDX-License-Identifier: MIT
//
// `task-exit`: a task that ends never runs again, and the other tasks continue.
#include "conformance.h"

static volatile unsigned ended;

static void ends(void) {
    ended++;
    bench_task_exit();
}

static void prover(void) {
    BENCH_MARK("begin");
    BENCH_REQUIRE(ended == 1, "start: a higher task did not run before a lower one");
    bench_task_delay(2);
    BENCH_REQUIRE(ended == 1, "task-exit: a task that ended ran again");
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(ends, 5, BENCH_READY),
    TASK(prover, 10, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "task-exit", BENCH_TASKS(tasks)};
