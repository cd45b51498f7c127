// SPDX-License-Identifier: MIT
//
// A task suspends a ready task of lower priority, and resumes it. While the caller sleeps, the
// lower task runs if and only if it is not suspended: this is verified first.
#include "services.h"

enum { LOWER, CALLER, FIRST_READY, TASKS = FIRST_READY + PARAM_READY };

static const struct bench_task lower = {LOWER};
static volatile uint32_t passes;

static void lower_task(void) {
    for (;;) {
        passes++;
    }
}

static void verify(void) {
    REQUIRE_OK(bench_task_suspend(lower), "suspend: failed for a ready task");
    bench_task_delay(1);
    BENCH_REQUIRE(passes == 0, "suspend: a suspended task ran");
    REQUIRE_OK(bench_task_resume(lower), "resume: failed for a suspended task");
    bench_task_delay(1);
    BENCH_REQUIRE(passes > 0, "resume: a resumed task did not run");
}

static void caller(void) {
    verify();
    for (;;) {
        BENCH_MARK("suspend.before");
        const enum bench_status suspending = bench_task_suspend(lower);
        BENCH_MARK("suspend.after");
        BENCH_REQUIRE(suspending == BENCH_OK, "suspend: failed for a ready task");
        BENCH_MARK("resume.before");
        const enum bench_status resuming = bench_task_resume(lower);
        BENCH_MARK("resume.after");
        BENCH_REQUIRE(resuming == BENCH_OK, "resume: failed for a suspended task");
    }
}

static const struct bench_task_declaration tasks[] = {
    [LOWER] = TASK(lower_task, MIDDLE_PRIORITY),
    [CALLER] = TASK(caller, HIGH_PRIORITY),
    CROWD(FIRST_READY, PARAM_READY, TASKS, stay_ready, IDLE_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "suspend-another", SO_MANY(tasks, TASKS)};
