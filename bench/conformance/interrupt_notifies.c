// SPDX-License-Identifier: MIT
//
// `notification.from_interrupt`: an interrupt can notify a task, which pre-empts the interrupted
// task; each interrupt counts once.
#include "conformance.h"

enum { HIGH, PROVER, ROUNDS = 3 };

static volatile unsigned woken;

static void high(void) {
    for (;;) {
        REQUIRE_OK(bench_notification_wait(BENCH_FOREVER),
                   "notification: a wait without timeout failed");
        woken++;
    }
}

static void prover(void) {
    BENCH_MARK("begin");
    for (unsigned round = 1; round <= ROUNDS; round++) {
        bench_interrupt_trigger((struct bench_interrupt){0});
        BENCH_REQUIRE(woken == round, "interrupt: the task that it notifies did not pre-empt");
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {
    [HIGH] = TASK(high, 5, BENCH_READY),
    [PROVER] = TASK(prover, 10, BENCH_READY),
};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_NOTIFIES, .object = HIGH},
};

const struct bench_scenario bench_scenario = {
    .name = "interrupt-notifies", BENCH_TASKS(tasks), BENCH_INTERRUPTS(interrupts)};
