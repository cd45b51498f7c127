// SPDX-License-Identifier: MIT
//
// A high task waits for a notification that a low task sends: the shortest path from one task to
// another in a kernel.
#include "services.h"

enum { LOW, HIGH };

static const struct bench_task high_task = {HIGH};

static volatile uint32_t sent, seen;

static void high(void) {
    for (;;) {
        BENCH_MARK("wait.before");
        const enum bench_status status = bench_notification_wait(BENCH_FOREVER);
        BENCH_MARK("wait.after");
        BENCH_REQUIRE(status == BENCH_OK, "a wait for a notification without timeout failed");
        seen++;
        BENCH_REQUIRE(seen == sent, "a task was woken before it was notified");
    }
}

static void low(void) {
    for (;;) {
        sent++;
        BENCH_MARK("notify.before");
        const enum bench_status status = bench_notify(high_task);
        BENCH_MARK("notify.after");
        BENCH_REQUIRE(status == BENCH_OK, "notification: refused");
        BENCH_REQUIRE(seen == sent, "the higher task that was woken did not run at once");
    }
}

static const struct bench_task_declaration tasks[] = {
    [LOW] = TASK(low, LOW_PRIORITY),
    [HIGH] = TASK(high, HIGH_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "notification-blocking", BENCH_TASKS(tasks)};
