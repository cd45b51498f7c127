// SPDX-License-Identifier: MIT
//
// Suspends a ready task of lower priority.
#include "worst_case.h"

enum { LOWER_PRIORITY = 20 };

static const struct bench_task lower = {FIRST_TASK};

static void bystander(void) {
    for (;;) {
    }
}

static void service(void) {
    require_ok(bench_task_suspend(lower), "suspend reported an error");
}

static void undo(void) {
    require_ok(bench_task_resume(lower), "resume reported an error");
}

static void sweeper(void) {
    sweep(service, undo);
}

static const struct bench_task_declaration tasks[] = {
    WORST_CASE_OWN_TASKS,
    [FIRST_TASK] = WORST_CASE_TASK(bystander, LOWER_PRIORITY),
};
static const struct bench_semaphore_declaration semaphores[] = {WORST_CASE_OWN_SEMAPHORES};

const struct bench_scenario bench_scenario = {.name = "suspend",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(worst_case_interrupts)};
