// SPDX-License-Identifier: MIT
//
// Thread-Metric 1: one thread computes on an array of 1024 words. It is the reference of the other
// tests: apart from the tick it calls no kernel, so there is nothing to verify.
#include "thread_metric.h"

enum { WORDS = 1024 };

static volatile unsigned long array[WORDS];
static volatile unsigned long counter;

static void thread_0(void) {
    for (;;) {
        for (int i = 0; i < WORDS; i++) {
            array[i] = (array[i] + counter) ^ array[i];
        }
        BENCH_MARK("iteration.0");
        counter++;
    }
}

static const struct bench_task_declaration threads[] = {
    TM_THREAD(thread_0, 10, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "basic-processing", BENCH_TASKS(threads)};
