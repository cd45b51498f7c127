// SPDX-License-Identifier: MIT
//
// `suspend` and `resume`: a resumed higher task pre-empts at once, a suspended one stays out, and
// suspensions do not nest.
#include "conformance.h"

enum { HIGH, LOW };

static const struct bench_task high = {HIGH};
static volatile unsigned passes;

static void high_task(void) {
    for (;;) {
        passes++;
        REQUIRE_OK(bench_task_suspend(high), "suspend: an error for the caller itself");
    }
}

static void require_one_pass_for_resume(void) {
    const unsigned before = passes;
    REQUIRE_OK(bench_task_resume(high), "resume: an error for a suspended task");
    BENCH_REQUIRE(passes != before, "resume: a higher task did not pre-empt at once");
    BENCH_REQUIRE(passes == before + 1, "suspend: a task went on after it suspended itself");
}

static void low_task(void) {
    BENCH_MARK("begin");
    BENCH_REQUIRE(passes == 0, "start: a task declared as suspended ran");
    require_one_pass_for_resume();
    require_one_pass_for_resume();
    REQUIRE_OK(bench_task_suspend(high), "suspend: an error for a task that is suspended");
    require_one_pass_for_resume();
    proved();
}

static const struct bench_task_declaration tasks[] = {
    [HIGH] = TASK(high_task, 5, BENCH_SUSPENDED),
    [LOW] = TASK(low_task, 10, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "suspend-resume", BENCH_TASKS(tasks)};
