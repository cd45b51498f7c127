// SPDX-License-Identifier: MIT
//
// `priority`: a ready task that is raised above the caller runs at once, and a task that lowers
// itself below a ready task stops running until it is again the highest.
#include "conformance.h"

enum { RAISED, PROVER };
enum { BELOW = 12, CALLER = 10, ABOVE = 5 };

static const struct bench_task raised = {RAISED};
static volatile unsigned runs;

static void raised_task(void) {
    for (;;) {
        runs++;
        REQUIRE_OK(bench_task_set_priority(raised, BELOW),
                   "priority: a task could not lower itself");
    }
}

static void prover(void) {
    BENCH_MARK("begin");
    for (unsigned round = 1; round <= 2; round++) {
        REQUIRE_OK(bench_task_set_priority(raised, ABOVE),
                   "priority: a ready task could not be raised");
        BENCH_REQUIRE(runs >= round, "priority: a task raised above the caller did not pre-empt");
        BENCH_REQUIRE(runs == round, "priority: a task that lowered itself kept running");
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {
    [RAISED] = TASK(raised_task, BELOW, BENCH_READY),
    [PROVER] = TASK(prover, CALLER, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "priority", BENCH_TASKS(tasks)};
