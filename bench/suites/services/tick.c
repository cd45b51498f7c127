// SPDX-License-Identifier: MIT
//
// A task works in equal steps while other tasks sleep for longer than any run. A step that contains
// a tick is longer than the others by the cost of the tick.
#include "services.h"

enum { WORKER, FIRST_SLEEPER, TASKS = FIRST_SLEEPER + PARAM_SLEEPERS };
enum { STEP = 500, LONG_TICKS = 1000000 };

static volatile uint32_t asleep;

static void worker(void) {
    BENCH_REQUIRE(asleep == PARAM_SLEEPERS, "a higher task did not run before a lower one");
    for (;;) {
        for (volatile uint32_t i = 0; i < STEP; i++) {
        }
        BENCH_MARK("step");
    }
}

// Each sleeper waits for a tick of its own, the last one for the earliest: a kernel that keeps a
// list ordered by time has all of them in it.
static void sleeper(void) {
    asleep++;
    bench_task_delay(LONG_TICKS - asleep);
    bench_fail("delay: shorter than requested");
}

static const struct bench_task_declaration tasks[] = {
    [WORKER] = TASK(worker, LOW_PRIORITY),
    CROWD(FIRST_SLEEPER, PARAM_SLEEPERS, TASKS, sleeper, HIGH_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "tick", SO_MANY(tasks, TASKS)};
