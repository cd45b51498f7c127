// SPDX-License-Identifier: MIT
//
// `mutex.ownership`: an unlock by a task that does not own the mutex is refused and has no effect.
#include "conformance.h"

static const struct bench_mutex mutex = {0};
static volatile bool tried;

static void owner(void) {
    BENCH_MARK("begin");
    REQUIRE_OK(bench_mutex_lock(mutex, BENCH_NO_WAIT), "mutex: a free mutex could not be locked");
    bench_task_delay(2);
    BENCH_REQUIRE(tried, "delay: no lower task ran meanwhile");
    REQUIRE_OK(bench_mutex_unlock(mutex), "mutex: the owner could not unlock");
    proved();
}

static void other(void) {
    BENCH_REQUIRE(bench_mutex_unlock(mutex) != BENCH_OK,
                  "mutex: a task that does not own it unlocked it");
    REQUIRE_TIMED_OUT(bench_mutex_lock(mutex, BENCH_NO_WAIT),
                      "mutex: free after an unlock that was refused");
    tried = true;
    for (;;) {
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(owner, 5, BENCH_READY),
    TASK(other, 10, BENCH_READY),
};

static const struct bench_mutex_declaration mutexes[] = {{.inherits = 0}};

const struct bench_scenario bench_scenario = {
    .name = "mutex-ownership", BENCH_TASKS(tasks), BENCH_MUTEXES(mutexes)};
