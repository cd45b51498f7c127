// SPDX-License-Identifier: MIT
//
// `notification`: over 100 000 operations, each notification that is sent is received exactly once.
#include "endurance.h"

enum { WAITER = 2 }; // after the two tasks of endurance.h

static const struct bench_task waiter_task = {WAITER};
static volatile uint32_t sent_by_prover, sent_by_interferer, seen;

static void waiter(void) {
    for (;;) {
        REQUIRE_OK(bench_notification_wait(BENCH_FOREVER),
                   "notification: a wait without timeout failed");
        seen++;
    }
}

static void do_round(uint32_t round) {
    REQUIRE_OK(bench_notify(waiter_task), "notification: refused");
    sent_by_prover = round + 1;
}

static void interfere(void) {
    REQUIRE_OK(bench_notify(waiter_task), "notification: refused");
    sent_by_interferer++;
}

static void require_nothing_lost(void) {
    const uint32_t by_interferer = sent_by_interferer, all = seen;
    BENCH_REQUIRE(all >= sent_by_prover + by_interferer, "notification: one was lost");
    BENCH_REQUIRE(all <= sent_by_prover + sent_by_interferer,
                  "notification: more received than sent");
}

static const struct bench_task_declaration tasks[] = {
    ENDURING_TASKS,
    [WAITER] = TASK(waiter, 5, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "notification-endurance", BENCH_TASKS(tasks)};
