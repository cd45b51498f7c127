// SPDX-License-Identifier: MIT
//
// Each tick releases all tasks, which run after each other and pre-empt a task that works in equal
// steps. A step that contains a tick is longer than the others by what the tick and the jobs cost.
#include "../shared/tasks.h"

enum { WORKER = PARAM_TASKS, STEP = 500, PERIOD_TICKS = 1 };

static void job(void) {
    uint32_t wake = bench_ticks();
    for (;;) {
        BENCH_MARK("completed");
        bench_task_delay_until(&wake, PERIOD_TICKS);
        BENCH_MARK("released");
    }
}

static void worker(void) {
    for (;;) {
        for (volatile uint32_t i = 0; i < STEP; i++) {
        }
        BENCH_MARK("step");
    }
}

// Each task has a priority of its own, as in most applications; from the eighth on, all have one.
#define JOB(number) [number] = TASK(job, HIGH_PRIORITY + (number))

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
