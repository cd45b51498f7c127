// SPDX-License-Identifier: MIT
//
// `suspend` and `resume`: a thread is created suspended, a resumed higher thread pre-empts at once,
// and a thread that suspends itself stops at that call.
#include "suspension.h"

static void low(void) {
    BENCH_MARK("begin");
    BENCH_REQUIRE(passes == 0, "start: a thread that is created suspended ran");
    for (unsigned round = 1; round <= ROUNDS; round++) {
        REQUIRE_SUCCESS(tm_thread_resume(HIGH), "resume: failed for a suspended thread");
        require_pass(round);
    }
    proved();
}

const struct bench_scenario bench_scenario = {.name = "tm-suspend", BENCH_TASKS(tasks)};
