// SPDX-License-Identifier: MIT
//
// `suspend` and `resume`: a task can suspend another task, which then does not run until it is
// resumed, and suspensions do not nest. suspend_self.c proves the same for the caller.
#include "suspension.h"

static void low_task(void) {
    BENCH_MARK("begin");
    BENCH_REQUIRE(passes == 0, "start: a task declared as suspended ran");
    REQUIRE_OK(bench_task_suspend(high), "suspend: failed for a suspended task");
    REQUIRE_OK(bench_task_resume(high), "resume: failed for a suspended task");
    BENCH_REQUIRE(passes == 1, "suspend: suspensions nest");
    proved();
}

const struct bench_scenario bench_scenario = {.name = "suspend-resume", BENCH_TASKS(tasks)};
