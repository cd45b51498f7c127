// SPDX-License-Identifier: MIT
//
// `yield`: moves the caller after the ready tasks of its priority and runs the first of them.
#include "conformance.h"

enum { TASKS = 3, ROUNDS = 4, NOBODY = TASKS };

static volatile unsigned due = NOBODY; // the kernel chooses which task starts

static void take_turns(unsigned self) {
    BENCH_MARK("begin");
    for (int round = 0; round < ROUNDS; round++) {
        BENCH_REQUIRE(due == NOBODY || due == self,
                      "yield: not the equal task that waited longest");
        due = (self + 1) % TASKS;
        bench_task_yield();
    }
    proved();
}

static void task_0(void) {
    take_turns(0);
}

static void task_1(void) {
    take_turns(1);
}

static void task_2(void) {
    take_turns(2);
}

static void lower(void) {
    bench_fail("yield: a task of lower priority ran while others were ready");
}

static const struct bench_task_declaration tasks[] = {
    TASK(task_0, 5, BENCH_READY),
    TASK(task_1, 5, BENCH_READY),
    TASK(task_2, 5, BENCH_READY),
    TASK(lower, 6, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "yield", BENCH_TASKS(tasks)};
