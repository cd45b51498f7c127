// SPDX-License-Identifier: MIT
//
// Thread-Metric 7: one thread takes a semaphore and gives it back. No thread waits, and the kernel
// switches nothing.
#include "thread_metric.h"

static volatile unsigned long counter;

static void verify_round(void) {
    BENCH_REQUIRE(tm_semaphore_get(0) == TM_SUCCESS, "a semaphore at 1 could not be taken");
    BENCH_REQUIRE(!TM_REFUSES || tm_semaphore_get(0) != TM_SUCCESS, "a semaphore at 0 was taken");
    BENCH_REQUIRE(tm_semaphore_put(0) == TM_SUCCESS, "a semaphore at 0 could not be given");
}

static void thread_0(void) {
    for (int round = 0; round < TM_VERIFY_ROUNDS; round++) {
        verify_round();
    }
    for (;;) {
        if (tm_semaphore_get(0) != TM_SUCCESS || tm_semaphore_put(0) != TM_SUCCESS) {
            break;
        }
        BENCH_MARK("iteration.0");
        counter++;
    }
    bench_fail("a semaphore that no other thread uses could not be taken");
}

static const struct bench_task_declaration threads[] = {
    TM_THREAD(thread_0, 10, BENCH_READY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 1, .maximum = 1}};

const struct bench_scenario bench_scenario = {
    .name = "synchronization", BENCH_TASKS(threads), BENCH_SEMAPHORES(semaphores)};
