// SPDX-License-Identifier: MIT
//
// Thread-Metric 5: a low thread causes an interrupt, whose handler resumes a high thread; the high
// thread counts and suspends itself, and the low thread counts. The test measures the path through
// an interrupt into another thread. The event log proves that it was an interrupt and not a call
// (suite.toml: external).
#include "thread_metric.h"

enum { HIGH, LOW };

static volatile unsigned long counters[2];
static volatile unsigned resumes, passes; // of the high thread, during the verification

static void verify_high(void) {
    for (unsigned round = 0; round < TM_VERIFY_ROUNDS; round++) {
        BENCH_REQUIRE(resumes == passes, "a suspended thread ran before it was resumed");
        passes++;
        BENCH_REQUIRE(tm_thread_suspend(HIGH) == TM_SUCCESS, "suspend reported an error");
    }
}

// The high thread's first pass is its start. In the last round the low thread resumes it into its
// loop.
static void verify_low(void) {
    while (passes < TM_VERIFY_ROUNDS) {
        resumes++;
        TM_CAUSE_INTERRUPT;
        BENCH_REQUIRE(passes == resumes + 1,
                      "interrupt never taken: the thread that it resumes did not run");
    }
}

static void high_thread(void) {
    verify_high();
    for (;;) {
        BENCH_MARK("iteration.high");
        counters[HIGH]++;
        tm_thread_suspend(HIGH);
    }
}

static void low_thread(void) {
    verify_low();
    for (;;) {
        TM_CAUSE_INTERRUPT;
        BENCH_MARK("iteration.low");
        counters[LOW]++;
    }
}

static const struct bench_task_declaration threads[] = {
    [HIGH] = TM_THREAD(high_thread, 3, BENCH_READY),
    [LOW] = TM_THREAD(low_thread, 10, BENCH_READY),
};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_RESUMES, .object = HIGH},
};

const struct bench_scenario bench_scenario = {
    .name = "interrupt-preemption", BENCH_TASKS(threads), BENCH_INTERRUPTS(interrupts)};
