// SPDX-License-Identifier: MIT
//
// A counter in a loop: the minimum of an iteration. The CMRX articles (suite.toml) report it as
// their first test; Thread-Metric's own first test is basic_processing.c. The loop calls no kernel,
// so there is nothing to verify.
#include "thread_metric.h"

static volatile unsigned long counter;

static void thread_0(void) {
    for (;;) {
        BENCH_MARK("iteration.0");
        counter++;
    }
}

static const struct bench_task_declaration threads[] = {
    TM_THREAD(thread_0, 10, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "bare-increment", BENCH_TASKS(threads)};
