// SPDX-License-Identifier: MIT
//
// `semaphore.order`: the order in which waiting tasks get the counts that are given.
#include "waiters.h"

static const struct bench_semaphore semaphore = {0};

static void wait_for_object(unsigned self) {
    REQUIRE_OK(bench_semaphore_take(semaphore, BENCH_FOREVER),
               "semaphore: a take without timeout failed");
    record_service(self);
}

static void prover(void) {
    BENCH_MARK("begin");
    bench_task_delay(3);
    require_all_wait();
    for (unsigned i = 0; i < WAITERS; i++) {
        REQUIRE_OK(bench_semaphore_give(semaphore), "semaphore: refused to wake a waiter");
        BENCH_REQUIRE(services == i + 1, "semaphore: a higher waiter did not pre-empt its giver");
    }
    require_order();
    proved();
}

static const struct bench_task_declaration tasks[] = {
    WAITING_TASKS,
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

const struct bench_scenario bench_scenario = {
    .name = "semaphore-order", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
