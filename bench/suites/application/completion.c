// SPDX-License-Identifier: MIT
//
// Each even tick releases the jobs, which run one after another. When a job completes, the same
// number of other tasks sleep until the odd tick, before the job's next release: a kernel with a
// list of wake-ups sorted by time passes all of these tasks to insert the job.

enum { JOBS = PARAM_TASKS, OTHERS = PARAM_TASKS, PERIOD_TICKS = 2 };

#include "jobs.h"

static void other(void) {
    uint32_t wake = bench_ticks() + 1;
    for (;;) {
        bench_task_delay_until(&wake, PERIOD_TICKS);
    }
}

static const struct bench_task_declaration tasks[] = {
    JOB(0),
    JOB(1),
#if PARAM_TASKS > 2
    JOB(2),
    JOB(3),
    JOB(4),
    JOB(5),
    JOB(6),
    [7 ... JOBS - 1] = TASK(job, HIGH_PRIORITY + 7),
#endif
    [JOBS... JOBS + OTHERS - 1] = TASK(other, HIGH_PRIORITY + 8),
};

const struct bench_scenario bench_scenario = {.name = "completion", BENCH_TASKS(tasks)};
