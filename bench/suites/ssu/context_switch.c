// SPDX-License-Identifier: MIT
//
// A task resumes a higher one, which runs at once and suspends itself.
#include "../shared/tasks.h"

enum { LOW, HIGH };

static const struct bench_task higher = {HIGH};
static volatile uint32_t resumed, runs;

static void high(void) {
    for (;;) {
        BENCH_MARK("suspend.before");
        const enum bench_status status = bench_task_suspend(higher);
        BENCH_MARK("high.runs");
        BENCH_REQUIRE(status == BENCH_OK, "suspend: failed for the caller");
        runs++;
        BENCH_REQUIRE(runs == resumed, "a task ran although it was suspended");
    }
}

static void low(void) {
    for (;;) {
        resumed++;
        BENCH_MARK("resume.before");
        const enum bench_status status = bench_task_resume(higher);
        BENCH_MARK("resume.after");
        BENCH_REQUIRE(status == BENCH_OK, "resume: failed for a suspended task");
        BENCH_REQUIRE(runs == resumed, "the higher task that was resumed did not run at once");
    }
}

static const struct bench_task_declaration tasks[] = {
    [LOW] = TASK(low, LOW_PRIORITY),
    [HIGH] = TASK(high, HIGH_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "context-switch", BENCH_TASKS(tasks)};
