// SPDX-License-Identifier: MIT
//
// A task works in equal steps, while others sleep for longer than any run lasts: a step with a tick
// inside is longer than the others by what the tick costs.
#include "services.h"

enum { WORKER, FIRST_SLEEPER, TASKS = FIRST_SLEEPER + PARAM_SLEEPERS };
enum { STEP = 500, LONG_TICKS = 1000000 };

static volatile uint32_t asleep;

static void worker(void) {
    BENCH_REQUIRE(asleep == PARAM_SLEEPERS, "a higher task did not run first");
    for (;;) {
        for (volatile uint32_t i = 0; i < STEP; i++) {
        }
        BENCH_MARK("step");
    }
}

// Each until a tick of its own, the last first: a list in order of time has them all.
static void sleeper(void) {
    asleep++;
    bench_task_delay(LONG_TICKS - asleep);
    bench_fail("delay: shorter than it was asked to be");
}

static const struct bench_task_declaration tasks[] = {
    [WORKER] = TASK(worker, LOW_PRIORITY),
    CROWD(FIRST_SLEEPER, PARAM_SLEEPERS, TASKS, sleeper, HIGH_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "tick", SO_MANY(tasks, TASKS)};
