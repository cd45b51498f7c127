// SPDX-License-Identifier: MIT
//
// Resumes a task of higher priority that suspended itself; it runs and suspends itself again.
#include "worst_case.h"

static const struct bench_task sleeper_task = {FIRST_TASK};
static volatile uint32_t runs;

static void sleeper(void) {
    for (;;) {
        runs++;
        require_ok(bench_task_suspend(sleeper_task), "suspend reported an error");
    }
}

static void service(void) {
    require_ok(bench_task_resume(sleeper_task), "resume reported an error");
}

// The task's first run is its start and not a resume.
static void undo(void) {
    static uint32_t resumes;
    resumes++;
    BENCH_REQUIRE(runs == resumes + 1, "the resumed task did not run");
}

static void sweeper(void) {
    sweep(service, undo);
}

static const struct bench_task_declaration tasks[] = {
    WORST_CASE_OWN_TASKS,
    [FIRST_TASK] = WORST_CASE_TASK(sleeper, HIGHER_PRIORITY),
};
static const struct bench_semaphore_declaration semaphores[] = {WORST_CASE_OWN_SEMAPHORES};

const struct bench_scenario bench_scenario = {.name = "resume",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(worst_case_interrupts)};
