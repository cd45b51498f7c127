// SPDX-License-Identifier: MIT
//
// Each tick releases all tasks, which run after each other and pre-empt a task that works in equal
// steps. A step that contains a tick is longer than the others by what the tick and the jobs cost.

enum { WORKER = PARAM_TASKS, STEP = 500, PERIOD_TICKS = 1 };

#include "jobs.h"

static void worker(void) {
    for (;;) {
        for (volatile uint32_t i = 0; i < STEP; i++) {
        }
        BENCH_MARK("step");
    }
}

static const struct bench_task_declaration tasks[] = {
    JOB(0),
#if PARAM_TASKS > 1
    JOB(1),
#endif
#if PARAM_TASKS > 2
    JOB(2),
    JOB(3),
#endif
#if PARAM_TASKS > 4
    JOB(4),
    JOB(5),
    JOB(6),
    [7 ... WORKER - 1] = TASK(job, HIGH_PRIORITY + 7),
#endif
    [WORKER] = TASK(worker, IDLE_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "overhead", BENCH_TASKS(tasks)};
