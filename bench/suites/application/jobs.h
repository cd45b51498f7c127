// SPDX-License-Identifier: MIT
//
// Shared by the scenarios of periodic jobs. The including file defines PERIOD_TICKS.
#ifndef APPLICATION_JOBS_H
#define APPLICATION_JOBS_H

#include "../shared/tasks.h"

static void job(void) {
    uint32_t wake = bench_ticks();
    for (;;) {
        BENCH_MARK("completed");
        bench_task_delay_until(&wake, PERIOD_TICKS);
        BENCH_MARK("released");
    }
}

// One row of a scenario's tasks. Each job has a priority of its own, as in most applications; from
// the eighth on, all jobs share one priority.
#define JOB(number) [number] = TASK(job, HIGH_PRIORITY + (number))

#endif
