// SPDX-License-Identifier: MIT
//
// Takes a semaphore that has a count.
#include "worst_case.h"

static const struct bench_semaphore semaphore = {FIRST_SEMAPHORE};

static void service(void) {
    require_ok(bench_semaphore_take(semaphore, BENCH_FOREVER), "a call without timeout failed");
}

static void undo(void) {
    require_ok(bench_semaphore_give(semaphore), "a semaphore below its maximum refused a count");
}

static void sweeper(void) {
    sweep(service, undo);
}

static const struct bench_task_declaration tasks[] = {WORST_CASE_OWN_TASKS};

static const struct bench_semaphore_declaration semaphores[] = {
    WORST_CASE_OWN_SEMAPHORES,
    [FIRST_SEMAPHORE] = {.initial = 1, .maximum = 1},
};

const struct bench_scenario bench_scenario = {.name = "semaphore-take",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(worst_case_interrupts)};
