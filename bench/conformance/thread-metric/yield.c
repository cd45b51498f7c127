// SPDX-License-Identifier: MIT
//
// `yield`: moves the caller after the ready threads of its priority and runs the first of them.
#include "tm_conformance.h"

enum { THREADS = 3, ROUNDS = 4, NOBODY = THREADS };

static volatile unsigned due = NOBODY; // the kernel chooses which thread starts

static void take_turns(unsigned self) {
    BENCH_MARK("begin");
    for (int round = 0; round < ROUNDS; round++) {
        BENCH_REQUIRE(due == NOBODY || due == self,
                      "yield: not the equal thread that waited longest");
        due = (self + 1) % THREADS;
        tm_thread_relinquish();
    }
    proved();
}

static void thread_0(void) {
    take_turns(0);
}

static void thread_1(void) {
    take_turns(1);
}

static void thread_2(void) {
    take_turns(2);
}

static void lower(void) {
    bench_fail("yield: a thread of lower priority ran while others were ready");
}

static const struct bench_task_declaration tasks[] = {
    TASK(thread_0, 5, BENCH_READY),
    TASK(thread_1, 5, BENCH_READY),
    TASK(thread_2, 5, BENCH_READY),
    TASK(lower, 6, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "tm-yield", BENCH_TASKS(tasks)};
