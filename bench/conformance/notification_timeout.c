// SPDX-License-Identifier: MIT
//
// `notification.timeout`: a wait without a notification fails after its timeout and not
// before, and takes no notification that is sent later.
#include "conformance.h"

enum { TIMEOUT_TICKS = 2 };

static void prover(void) {
    BENCH_MARK("begin");
    const uint32_t start = bench_ticks();
    REQUIRE_TIMED_OUT(bench_notification_wait(TIMEOUT_TICKS),
                      "notification: received before one was sent");
    BENCH_REQUIRE(bench_ticks() - start >= TIMEOUT_TICKS, "notification: timed out too early");
    REQUIRE_OK(bench_notify((struct bench_task){0}), "notification: refused");
    REQUIRE_OK(bench_notification_wait(TIMEOUT_TICKS), "notification: one was lost");
    proved();
}

static const struct bench_task_declaration tasks[] = {TASK(prover, 10, BENCH_READY)};

const struct bench_scenario bench_scenario = {.name = "notification-timeout", BENCH_TASKS(tasks)};
