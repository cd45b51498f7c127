// SPDX-License-Identifier: MIT
//
// A task of the highest priority works for two and a half ticks, and one more for each job below
// it. In every other period the first of these ticks releases the jobs, which therefore begin late:
// a kernel that leaves a part of a release for later, even one job for each tick, does that part
// while the higher task runs. In the other periods no job is released, so the difference is what
// the releases cost.
#include "../shared/tasks.h"

#include <bench/calibration.h>

enum { JOBS = PARAM_TASKS, LAST = JOBS - 1, FIRST_TICK = 4, PERIOD_TICKS = JOBS + 4, CHUNK = 64 };

// Returns how many chunks of work fit into a tick.
static uint32_t chunks_of_a_tick(void) {
    const uint32_t begin = bench_ticks();
    uint32_t chunks = 0;
    while (bench_ticks() - begin < 2) {
        bench_calibration_align_16(CHUNK);
        chunks = bench_ticks() == begin ? 0 : chunks + 1;
    }
    return chunks;
}

static void work(uint32_t chunks) {
    for (uint32_t done = 0; done < chunks; done++) {
        bench_calibration_align_16(CHUNK);
    }
}

static void higher(void) {
    uint32_t wake = bench_ticks();
    const uint32_t chunks = chunks_of_a_tick() * (2 * JOBS + 5) / 2;
    bench_task_delay_until(&wake, FIRST_TICK);
    for (;;) {
        BENCH_MARK("late.begin");
        work(chunks);
        BENCH_MARK("late.end");
        bench_task_delay_until(&wake, PERIOD_TICKS);
        BENCH_MARK("calm.begin");
        work(chunks);
        BENCH_MARK("calm.end");
        bench_task_delay_until(&wake, PERIOD_TICKS);
    }
}

static void sleep_for_two_periods(uint32_t *wake) {
    bench_task_delay_until(wake, 2 * PERIOD_TICKS);
}

#if PARAM_TASKS > 1
static void job(void) {
    uint32_t wake = 0;
    bench_task_delay_until(&wake, FIRST_TICK + 1);
    for (;;) {
        sleep_for_two_periods(&wake);
    }
}
#endif

static void last(void) {
    uint32_t wake = 0;
    bench_task_delay_until(&wake, FIRST_TICK + 1);
    for (;;) {
        BENCH_MARK("last.released");
        sleep_for_two_periods(&wake);
    }
}

// Each task has its own priority, as in most applications; from the eighth on, tasks share one.
#define JOB(number) [number] = TASK(job, HIGH_PRIORITY + 1 + (number))

static const struct bench_task_declaration tasks[] = {
#if PARAM_TASKS > 1
    JOB(0),
#endif
#if PARAM_TASKS > 2
    JOB(1),
    JOB(2),
    JOB(3),
    JOB(4),
    JOB(5),
    [6 ... LAST - 1] = TASK(job, HIGH_PRIORITY + 7),
#endif
    [LAST] = TASK(last, LOW_PRIORITY + 4),
    [JOBS] = TASK(higher, HIGH_PRIORITY),
    [JOBS + 1] = TASK(stay_ready, IDLE_PRIORITY), // the processor does not sleep
};

const struct bench_scenario bench_scenario = {.name = "late", BENCH_TASKS(tasks)};
