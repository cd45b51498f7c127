// SPDX-License-Identifier: MIT
//
// Thread-Metric 4: a thread causes an interrupt, whose handler posts a semaphore that the thread
// then takes. The kernel switches nothing: the test measures its interrupt entry and exit. The
// event log proves that it was an interrupt and not a call (suite.toml: external).
#include "thread_metric.h"

static volatile unsigned long counter;

static void verify_round(void) {
    TM_CAUSE_INTERRUPT;
    BENCH_REQUIRE(tm_semaphore_get(0) == TM_SUCCESS,
                  "interrupt never taken: its semaphore was not posted");
    BENCH_REQUIRE(!TM_REFUSES || tm_semaphore_get(0) != TM_SUCCESS,
                  "one interrupt posted its semaphore twice");
}

static void verify(void) {
    BENCH_REQUIRE(tm_semaphore_get(0) == TM_SUCCESS, "a semaphore at 1 could not be taken");
    BENCH_REQUIRE(!TM_REFUSES || tm_semaphore_get(0) != TM_SUCCESS, "a semaphore at 0 was taken");
    for (int round = 0; round < TM_VERIFY_ROUNDS; round++) {
        verify_round();
    }
}

static void thread_0(void) {
    verify();
    for (;;) {
        TM_CAUSE_INTERRUPT;
        if (tm_semaphore_get(0) != TM_SUCCESS) {
            break;
        }
        BENCH_MARK("iteration.0");
        counter++;
    }
    bench_fail("interrupt never taken: its semaphore was not posted");
}

static const struct bench_task_declaration threads[] = {
    TM_THREAD(thread_0, 10, BENCH_READY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 1, .maximum = 1}};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_POSTS, .object = 0},
};

const struct bench_scenario bench_scenario = {.name = "interrupt-processing",
                                              BENCH_TASKS(threads),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(interrupts)};
