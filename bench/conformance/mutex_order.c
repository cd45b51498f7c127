// SPDX-License-Identifier: MIT
//
// `mutex.order`: the order in which waiting tasks acquire the mutex.
#include "waiters.h"

static const struct bench_mutex mutex = {0};
static volatile int released;

static void wait_for_object(unsigned self) {
    REQUIRE_OK(bench_mutex_lock(mutex, BENCH_FOREVER), "mutex: a lock without timeout failed");
    BENCH_REQUIRE(released, "mutex: a second task locked it");
    record_service(self);
    REQUIRE_OK(bench_mutex_unlock(mutex), "mutex: the owner could not unlock");
}

// The prover is the highest task, because a waiter of higher priority than a mutex owner that
// inherits nothing would run first.
static void prover(void) {
    BENCH_MARK("begin");
    REQUIRE_OK(bench_mutex_lock(mutex, BENCH_NO_WAIT), "mutex: a free mutex could not be locked");
    bench_task_delay(3);
    require_all_wait();
    released = 1;
    REQUIRE_OK(bench_mutex_unlock(mutex), "mutex: the owner could not unlock");
    bench_task_delay(2);
    require_order();
    proved();
}

static const struct bench_task_declaration tasks[] = {
    WAITING_TASKS,
    TASK(prover, 4, BENCH_READY),
};

static const struct bench_mutex_declaration mutexes[] = {{.inherits = 0}};

const struct bench_scenario bench_scenario = {
    .name = "mutex-order", BENCH_TASKS(tasks), BENCH_MUTEXES(mutexes)};
