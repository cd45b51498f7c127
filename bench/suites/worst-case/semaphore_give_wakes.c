// SPDX-License-Identifier: MIT
//
// Gives a semaphore that higher tasks wait for: the first of them runs and waits again after the
// others.
#include "worst_case.h"

static const struct bench_semaphore semaphore = {FIRST_SEMAPHORE};
static volatile uint32_t woken;

static void waiter(void) {
    for (;;) {
        require_ok(bench_semaphore_take(semaphore, BENCH_FOREVER), "a call without timeout failed");
        woken++;
    }
}

static void service(void) {
    require_ok(bench_semaphore_give(semaphore), "a semaphore below its maximum refused a count");
}

static void undo(void) {
    static uint32_t given;
    given++;
    BENCH_REQUIRE(woken == given, "the higher task that waited did not run");
}

static void sweeper(void) {
    sweep_in_turns(service, undo, PARAM_WAITERS);
}

static const struct bench_task_declaration tasks[] = {
    WORST_CASE_OWN_TASKS,
    WORST_CASE_WAITERS(waiter),
};

static const struct bench_semaphore_declaration semaphores[] = {
    WORST_CASE_OWN_SEMAPHORES,
    [FIRST_SEMAPHORE] = {.initial = 0, .maximum = 1},
};

const struct bench_scenario bench_scenario = {.name = "semaphore-give-wakes",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(worst_case_interrupts)};
