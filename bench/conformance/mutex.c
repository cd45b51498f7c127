// SPDX-License-Identifier: MIT
//
// `mutex`: while one task owns the mutex, another task cannot lock it and waits; after the owner
// unlocks it, the other task gets it.
#include "conformance.h"

enum progress { NOTHING, SHUT_OUT, LET_IN };

static const struct bench_mutex mutex = {0};
static volatile enum progress progress = NOTHING;

static void owner(void) {
    BENCH_MARK("begin");
    REQUIRE_OK(bench_mutex_lock(mutex, BENCH_NO_WAIT), "mutex: a free mutex could not be locked");
    bench_task_delay(3);
    BENCH_REQUIRE(progress != LET_IN, "mutex: a waiting task locked it while it was owned");
    BENCH_REQUIRE(progress == SHUT_OUT, "delay: no lower task ran meanwhile");
    REQUIRE_OK(bench_mutex_unlock(mutex), "mutex: the owner could not unlock");
    bench_task_delay(1);
    BENCH_REQUIRE(progress == LET_IN, "mutex: the second task did not get the free mutex");
    proved();
}

static void second(void) {
    REQUIRE_TIMED_OUT(bench_mutex_lock(mutex, BENCH_NO_WAIT), "mutex: a second task locked it");
    progress = SHUT_OUT;
    REQUIRE_OK(bench_mutex_lock(mutex, BENCH_FOREVER), "mutex: a lock without timeout failed");
    progress = LET_IN;
    for (;;) {
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(owner, 5, BENCH_READY),
    TASK(second, 10, BENCH_READY),
};

static const struct bench_mutex_declaration mutexes[] = {{.inherits = 0}};

const struct bench_scenario bench_scenario = {
    .name = "mutex", BENCH_TASKS(tasks), BENCH_MUTEXES(mutexes)};
