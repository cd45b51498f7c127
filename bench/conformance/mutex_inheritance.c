// SPDX-License-Identifier: MIT
//
// `mutex-inheritance`: the owner runs at the priority of its highest waiter, so that no task of a
// priority between the two delays the waiter.
#include "conformance.h"

enum { WAKE_TICKS = 2 };

static const struct bench_mutex mutex = {0};
static volatile int high_waits, middle_ran;

static void high(void) {
    bench_task_delay(WAKE_TICKS);
    high_waits = 1;
    REQUIRE_OK(bench_mutex_lock(mutex, BENCH_FOREVER), "mutex: a lock without timeout failed");
    BENCH_REQUIRE(!middle_ran, "mutex-inheritance: a middle task ran while a higher one waited");
    proved();
}

static void middle(void) {
    bench_task_delay(WAKE_TICKS);
    middle_ran = 1;
    for (;;) {
        bench_task_delay(1);
    }
}

static void low(void) {
    BENCH_MARK("begin");
    REQUIRE_OK(bench_mutex_lock(mutex, BENCH_NO_WAIT), "mutex: a free mutex could not be locked");
    while (!high_waits) {
    }
    REQUIRE_OK(bench_mutex_unlock(mutex), "mutex: the owner could not unlock");
    for (;;) {
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(high, 5, BENCH_READY),
    TASK(middle, 8, BENCH_READY),
    TASK(low, 12, BENCH_READY),
};

static const struct bench_mutex_declaration mutexes[] = {{.inherits = 1}};

const struct bench_scenario bench_scenario = {
    .name = "mutex-inheritance", BENCH_TASKS(tasks), BENCH_MUTEXES(mutexes)};
