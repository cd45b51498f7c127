// SPDX-License-Identifier: MIT
//
// The variant of Thread-Metric 7 in the CMRX articles (suite.toml): one thread notifies itself and
// takes the notification.
#include "thread_metric.h"

static const struct bench_task self = {0};
static volatile unsigned long counter;

// Notifications are counted: after two are sent, exactly two are received.
static void verify_round(void) {
    BENCH_REQUIRE(bench_notify(self) == BENCH_OK, "a notification was refused");
    BENCH_REQUIRE(bench_notify(self) == BENCH_OK, "a second notification was refused");
    BENCH_REQUIRE(bench_notification_wait(BENCH_NO_WAIT) == BENCH_OK, "a notification was lost");
    BENCH_REQUIRE(bench_notification_wait(BENCH_NO_WAIT) == BENCH_OK,
                  "a second notification was lost");
    BENCH_REQUIRE(bench_notification_wait(BENCH_NO_WAIT) == BENCH_TIMED_OUT,
                  "a notification was received that was not sent");
}

static void thread_0(void) {
    for (int round = 0; round < TM_VERIFY_ROUNDS; round++) {
        verify_round();
    }
    for (;;) {
        if (bench_notify(self) != BENCH_OK || bench_notification_wait(BENCH_NO_WAIT) != BENCH_OK) {
            break;
        }
        BENCH_MARK("iteration.0");
        counter++;
    }
    bench_fail("a notification was lost");
}

static const struct bench_task_declaration threads[] = {
    TM_THREAD(thread_0, 10, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "synchronization-notification",
                                              BENCH_TASKS(threads)};
