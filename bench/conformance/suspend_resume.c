// SPDX-License-Identifier: MIT
//
// `suspend` and `resume`: a task may suspend another, which stays out until it is resumed, and
// suspensions do not nest. What a task does to itself is suspend_self.c's.
#include "suspension.h"

static void low_task(void) {
    BENCH_MARK("begin");
    BENCH_REQUIRE(passes == 0, "start: a task declared as suspended ran");
    REQUIRE_OK(bench_task_suspend(high), "suspend: an error for a task that is suspended");
    REQUIRE_OK(bench_task_resume(high), "resume: an error for a suspended task");
    BENCH_REQUIRE(passes == 1, "suspend: suspensions nest");
    proved();
}

const struct bench_scenario bench_scenario = {.name = "suspend-resume", BENCH_TASKS(tasks)};
