// SPDX-License-Identifier: MIT
//
// `notification`: each task has a counter of notifications that starts at 0; a notification to a
// task of higher priority that waits makes this task pre-empt the caller.
#include "conformance.h"

enum { WAITER, PROVER, SENT = 3 };

static volatile unsigned woken;

static void waiter(void) {
    for (;;) {
        REQUIRE_OK(bench_notification_wait(BENCH_FOREVER),
                   "notification: a wait without timeout failed");
        woken++;
    }
}

static void prove_counting(void) {
    const struct bench_task self = {PROVER};
    REQUIRE_TIMED_OUT(bench_notification_wait(BENCH_NO_WAIT),
                      "notification: received before one was sent");
    for (int i = 0; i < SENT; i++) {
        REQUIRE_OK(bench_notify(self), "notification: refused");
    }
    for (int i = 0; i < SENT; i++) {
        REQUIRE_OK(bench_notification_wait(BENCH_NO_WAIT), "notification: one was lost");
    }
    REQUIRE_TIMED_OUT(bench_notification_wait(BENCH_NO_WAIT),
                      "notification: more received than sent");
}

static void prover(void) {
    BENCH_MARK("begin");
    prove_counting();
    for (unsigned i = 0; i < SENT; i++) {
        REQUIRE_OK(bench_notify((struct bench_task){WAITER}), "notification: refused");
        BENCH_REQUIRE(woken == i + 1, "notification: a higher waiter did not pre-empt");
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {
    [WAITER] = TASK(waiter, 5, BENCH_READY),
    [PROVER] = TASK(prover, 10, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "notification", BENCH_TASKS(tasks)};
