// SPDX-License-Identifier: MIT
//
// Sets a flag that a task of higher priority waits for; that task runs and waits again. The other
// waiters have its priority, and wait for another flag of the same object, which is never set.
#include "worst_case.h"

enum { FLAG = 1, NEVER_SET = 2 };

static const struct bench_flags flags = {0};
static volatile uint32_t others, woken;

static void waiter(void) {
    if (others + 1 < PARAM_WAITERS) {
        others++;
        require_ok(bench_flags_wait_all(flags, NEVER_SET, BENCH_FOREVER),
                   "flags: a wait without timeout failed");
        bench_fail("flags: a task was woken whose flag was never set");
    }
    for (;;) {
        require_ok(bench_flags_wait_all(flags, FLAG, BENCH_FOREVER),
                   "a call without timeout failed");
        woken++;
    }
}

static void service(void) {
    require_ok(bench_flags_set(flags, FLAG), "a flag could not be set");
}

static void undo(void) {
    static uint32_t set;
    set++;
    BENCH_REQUIRE(woken == set, "the higher task that waited did not run");
}

static void sweeper(void) {
    sweep(service, undo);
}

static const struct bench_task_declaration tasks[] = {
    WORST_CASE_OWN_TASKS,
    WORST_CASE_WAITERS(waiter),
};
static const struct bench_semaphore_declaration semaphores[] = {WORST_CASE_OWN_SEMAPHORES};
static const struct bench_flags_declaration declared_flags[] = {{.initial = 0}};

const struct bench_scenario bench_scenario = {.name = "flags-set-wakes",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_FLAGS(declared_flags),
                                              BENCH_INTERRUPTS(worst_case_interrupts)};
