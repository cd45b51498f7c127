// SPDX-License-Identifier: MIT
//
// `mutex`: waiters get it highest first, and first come, first served among equals.
#include "waiters.h"

static const struct bench_mutex mutex = {0};
static volatile int released;

static void wait_for_object(void) {
    REQUIRE_OK(bench_mutex_lock(mutex, BENCH_FOREVER), "mutex: waiting for ever ended");
    BENCH_REQUIRE(released, "mutex: let a second task in");
    REQUIRE_OK(bench_mutex_unlock(mutex), "mutex: the owner could not unlock");
}

// Highest of all, or a waiter that it inherits nothing from would run before it.
static void prover(void) {
    BENCH_MARK("begin");
    REQUIRE_OK(bench_mutex_lock(mutex, BENCH_NO_WAIT), "mutex: a free one could not be locked");
    bench_task_delay(3);
    require_all_wait();
    released = 1;
    REQUIRE_OK(bench_mutex_unlock(mutex), "mutex: the owner could not unlock");
    bench_task_delay(2);
    require_order("mutex: waiters not served by priority, FIFO among equals");
    proved();
}

static const struct bench_task_declaration tasks[] = {
    WAITING_TASKS,
    TASK(prover, 4, BENCH_READY),
};

static const struct bench_mutex_declaration mutexes[] = {{.inherits = 0}};

const struct bench_scenario bench_scenario = {
    .name = "mutex-order", BENCH_TASKS(tasks), BENCH_MUTEXES(mutexes)};
