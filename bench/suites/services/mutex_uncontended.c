// SPDX-License-Identifier: MIT
//
// One task locks and unlocks a mutex that no other task uses.
#include "services.h"

enum { CALLER, FIRST_READY, TASKS = FIRST_READY + PARAM_READY };

static const struct bench_mutex mutex = {0};

static void caller(void) {
    for (;;) {
        BENCH_MARK("lock.before");
        const enum bench_status locked = bench_mutex_lock(mutex, BENCH_FOREVER);
        BENCH_MARK("lock.after");
        BENCH_REQUIRE(locked == BENCH_OK, "mutex: a free mutex could not be locked");
        BENCH_MARK("unlock.before");
        const enum bench_status unlocked = bench_mutex_unlock(mutex);
        BENCH_MARK("unlock.after");
        BENCH_REQUIRE(unlocked == BENCH_OK, "mutex: the owner could not unlock");
    }
}

static const struct bench_task_declaration tasks[] = {
    [CALLER] = TASK(caller, LOW_PRIORITY),
    CROWD(FIRST_READY, PARAM_READY, TASKS, stay_ready, IDLE_PRIORITY),
};

static const struct bench_mutex_declaration mutexes[] = {{.inherits = 1}};

const struct bench_scenario bench_scenario = {
    .name = "mutex-uncontended", SO_MANY(tasks, TASKS), BENCH_MUTEXES(mutexes)};
