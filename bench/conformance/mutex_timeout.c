// SPDX-License-Identifier: MIT
//
// `mutex.timeout`: a lock of a mutex that another task owns fails after its timeout and not before.
#include "conformance.h"

enum { TIMEOUT_TICKS = 2 };

static const struct bench_mutex mutex = {0};
static volatile bool timed_out;

static void owner(void) {
    BENCH_MARK("begin");
    REQUIRE_OK(bench_mutex_lock(mutex, BENCH_NO_WAIT), "mutex: a free mutex could not be locked");
    bench_task_delay(2 * TIMEOUT_TICKS + 1);
    BENCH_REQUIRE(timed_out, "mutex: the second task's lock did not time out");
    proved();
}

static void second(void) {
    const uint32_t start = bench_ticks();
    REQUIRE_TIMED_OUT(bench_mutex_lock(mutex, TIMEOUT_TICKS),
                      "mutex: a waiting task locked it while it was owned");
    BENCH_REQUIRE(bench_ticks() - start >= TIMEOUT_TICKS, "mutex: timed out too early");
    timed_out = true;
    for (;;) {
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(owner, 5, BENCH_READY),
    TASK(second, 10, BENCH_READY),
};

static const struct bench_mutex_declaration mutexes[] = {{.inherits = 0}};

const struct bench_scenario bench_scenario = {
    .name = "mutex-timeout", BENCH_TASKS(tasks), BENCH_MUTEXES(mutexes)};
