// SPDX-License-Identifier: MIT
//
// Raises the priority of a ready task of lower priority, which stays below the caller's.
#include "worst_case.h"

enum { BELOW = 20, RAISED = 15 };

static const struct bench_task lower = {FIRST_TASK};

static void bystander(void) {
    for (;;) {
    }
}

static void service(void) {
    require_ok(bench_task_set_priority(lower, RAISED), "setting a priority reported an error");
}

static void undo(void) {
    require_ok(bench_task_set_priority(lower, BELOW), "setting a priority reported an error");
}

static void sweeper(void) {
    sweep(service, undo);
}

static const struct bench_task_declaration tasks[] = {
    WORST_CASE_OWN_TASKS,
    [FIRST_TASK] = WORST_CASE_TASK(bystander, BELOW),
};
static const struct bench_semaphore_declaration semaphores[] = {WORST_CASE_OWN_SEMAPHORES};

const struct bench_scenario bench_scenario = {.name = "priority",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(worst_case_interrupts)};
