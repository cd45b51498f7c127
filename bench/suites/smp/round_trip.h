// SPDX-License-Identifier: MIT
//
// Shared by semaphore-between and interrupt-between: the first node's task wakes the second node's
// task, and takes a semaphore that this task gives. The including file defines `wake_other`, which
// gives the semaphore `there`.
//
// A lost signal stops both tasks. A take that returns without a signal is found by a check: the
// other task must have written the number of the round. The check uses the bus, so it is made only
// every CHECKED rounds.
#ifndef ROUND_TRIP_H
#define ROUND_TRIP_H

#include "../multiprocessor/placement.h"

enum { CHECKED = 8 };

static const struct bench_semaphore there = {0}, back = {1};

static inline enum bench_status wake_other(void);

static volatile uint32_t *answered(void) {
    return (volatile uint32_t *)bench_shared_memory();
}

static void asker(void) {
    for (uint32_t round = 1;; round++) {
        BENCH_MARK("give.before");
        const enum bench_status given = wake_other();
        const enum bench_status taken = bench_semaphore_take(back, BENCH_FOREVER);
        BENCH_MARK("take.after");
        REQUIRE_OK(given, "give failed");
        REQUIRE_OK(taken, "take failed");
        BENCH_REQUIRE(round % CHECKED != 0 || *answered() == round,
                      "a signal came that the other task did not give, or came twice");
    }
}

static void answerer(void) {
    for (uint32_t round = 1;; round++) {
        REQUIRE_OK(bench_semaphore_take(there, BENCH_FOREVER), "the other task's take failed");
        if (round % CHECKED == 0) {
            *answered() = round;
        }
        REQUIRE_OK(bench_semaphore_give(back), "the other task's give failed");
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK_ON(FIRST_NODE, asker, LOW_PRIORITY),
    TASK_ON(SECOND_NODE, answerer, LOW_PRIORITY),
};
static const struct bench_semaphore_declaration semaphores[] = {{0, 1, 0, 1}, {0, 1, 0, 1}};

#endif
