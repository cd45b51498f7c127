// SPDX-License-Identifier: MIT
//
// Shared by the scenarios with a contended mutex. The sweeper owns the mutex. A higher task, woken
// by a semaphore, locks it and donates its priority to the sweeper until the sweeper unlocks it.
#ifndef WORST_CASE_MUTEX_CONTENDED_H
#define WORST_CASE_MUTEX_CONTENDED_H

// With inheritance and asserts, the service and its reversal take longer than other services.
#define WORST_CASE_CALLS_A_TICK (6000 / BENCH_TICK_HZ)
#include "worst_case.h"

static const struct bench_mutex mutex = {0};
static const struct bench_semaphore go = {FIRST_SEMAPHORE};
static volatile uint32_t asked, locked;

static void contender(void) {
    for (;;) {
        require_ok(bench_semaphore_take(go, BENCH_FOREVER), "a call without timeout failed");
        asked++;
        require_ok(bench_mutex_lock(mutex, BENCH_FOREVER), "a call without timeout failed");
        locked++;
        require_ok(bench_mutex_unlock(mutex), "the owner could not unlock its mutex");
    }
}

// Wakes the higher task, which locks the mutex and blocks.
static void contend(void) {
    require_ok(bench_semaphore_give(go), "a semaphore below its maximum refused a count");
}

// Passes the mutex to the higher task, which releases it and waits for the semaphore again.
static void unlock(void) {
    require_ok(bench_mutex_unlock(mutex), "the owner could not unlock its mutex");
}

static void lock_again(void) {
    BENCH_REQUIRE(asked == locked, "the higher task that waited for the mutex did not get it");
    require_ok(bench_mutex_lock(mutex, BENCH_NO_WAIT), "a free mutex could not be locked");
}

#define WORST_CASE_MUTEX_CONTENDED(scenario_name)                               \
    static const struct bench_task_declaration tasks[] = {                      \
        WORST_CASE_OWN_TASKS,                                                   \
        [FIRST_TASK] = WORST_CASE_TASK(contender, HIGHER_PRIORITY),             \
    };                                                                          \
    static const struct bench_semaphore_declaration semaphores[] = {            \
        WORST_CASE_OWN_SEMAPHORES,                                              \
        [FIRST_SEMAPHORE] = {.initial = 0, .maximum = 1},                       \
    };                                                                          \
    static const struct bench_mutex_declaration mutexes[] = {                   \
        {.inherits = 1},                                                        \
    };                                                                          \
    const struct bench_scenario bench_scenario = {.name = (scenario_name),      \
                                                  BENCH_TASKS(tasks),           \
                                                  BENCH_SEMAPHORES(semaphores), \
                                                  BENCH_MUTEXES(mutexes),       \
                                                  BENCH_INTERRUPTS(worst_case_interrupts)}

#endif
