// SPDX-License-Identifier: MIT
//
// `suspend-self` with `resume`: a task declared as suspended does not run, a resumed task of higher
// priority pre-empts at once, and a task that suspends itself stops at that call.
#include "suspension.h"

enum { ROUNDS = 3 };

static void low_task(void) {
    BENCH_MARK("begin");
    BENCH_REQUIRE(passes == 0, "start: a task declared as suspended ran");
    for (unsigned round = 1; round <= ROUNDS; round++) {
        REQUIRE_OK(bench_task_resume(high), "resume: failed for a suspended task");
        BENCH_REQUIRE(passes >= round, "resume: a higher task did not pre-empt at once");
        BENCH_REQUIRE(passes == round, "suspend: a task kept running after it suspended itself");
    }
    proved();
}

const struct bench_scenario bench_scenario = {.name = "suspend-self", BENCH_TASKS(tasks)};
