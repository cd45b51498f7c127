// SPDX-License-Identifier: MIT
//
// A low task resumes a high task, which pre-empts it and suspends itself again. The span runs from
// before the resume to the high task's first instruction.
#include "fpu.h"

enum { HIGH, LOW, FIRST_READY, TASKS = FIRST_READY + PARAM_READY };

static const struct bench_task high = {HIGH};
static volatile uint32_t resumed, ran;

static void high_task(void) {
    float kept = HIGH;
    for (;;) {
        kept = compute(kept, HIGH);
        const enum bench_status status = bench_task_suspend(high);
        BENCH_MARK("high.runs");
        BENCH_REQUIRE(status == BENCH_OK, "suspend: a task could not suspend itself");
        BENCH_REQUIRE(++ran == resumed, "suspend: a suspended task ran before it was resumed");
    }
}

static void low_task(void) {
    float kept = LOW;
    for (;;) {
        kept = compute(kept, LOW);
        resumed++;
        BENCH_MARK("resume.before");
        const enum bench_status status = bench_task_resume(high);
        BENCH_REQUIRE(status == BENCH_OK, "resume: failed for a suspended task");
        BENCH_REQUIRE(ran == resumed, "resume: a higher task did not pre-empt at once");
    }
}

static const struct bench_task_declaration tasks[] = {
    [HIGH] = FPU_TASK(high_task, HIGH_PRIORITY),
    [LOW] = FPU_TASK(low_task, LOW_PRIORITY),
    CROWD(FIRST_READY, PARAM_READY, TASKS, stay_ready, IDLE_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "preemptive-switch", SO_MANY(tasks, TASKS)};
