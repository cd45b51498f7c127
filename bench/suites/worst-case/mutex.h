// SPDX-License-Identifier: MIT
//
// Shared by the scenarios with an uncontended mutex, which inherits priorities.
#ifndef WORST_CASE_MUTEX_H
#define WORST_CASE_MUTEX_H

#include "worst_case.h"

static const struct bench_mutex mutex = {0};

static void lock(void) {
    require_ok(bench_mutex_lock(mutex, BENCH_FOREVER), "a free mutex could not be locked");
}

static void unlock(void) {
    require_ok(bench_mutex_unlock(mutex), "the owner could not unlock");
}

#define WORST_CASE_MUTEX(scenario_name)                                                         \
    static const struct bench_task_declaration tasks[] = {WORST_CASE_OWN_TASKS};                \
    static const struct bench_semaphore_declaration semaphores[] = {WORST_CASE_OWN_SEMAPHORES}; \
    static const struct bench_mutex_declaration mutexes[] = {{.inherits = 1}};                  \
    const struct bench_scenario bench_scenario = {.name = (scenario_name),                      \
                                                  BENCH_TASKS(tasks),                           \
                                                  BENCH_SEMAPHORES(semaphores),                 \
                                                  .mutexes = mutexes,                           \
                                                  .mutex_count = BENCH_COUNT(mutexes),          \
                                                  BENCH_INTERRUPTS(worst_case_interrupts)}

#endif
