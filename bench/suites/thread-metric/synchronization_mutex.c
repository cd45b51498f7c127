// SPDX-License-Identifier: MIT
//
// The variant of Thread-Metric 7 in the CMRX articles (suite.toml): one thread locks a mutex and
// unlocks it.
//
// A thread of lower priority verifies that the mutex excludes: it tries to lock the mutex while the
// measured thread owns it and sleeps. After that the measured thread never sleeps, so the other
// thread never runs again.
#include "thread_metric.h"

enum attempt { NOT_TRIED, EXCLUDED, LET_IN };

static const struct bench_mutex mutex = {0};
static volatile unsigned long counter;
static volatile enum attempt attempt = NOT_TRIED;

static void verify(void) {
    BENCH_REQUIRE(bench_mutex_lock(mutex, BENCH_NO_WAIT) == BENCH_OK,
                  "a free mutex could not be locked");
    bench_task_delay(2);
    BENCH_REQUIRE(attempt != NOT_TRIED, "the lower thread did not run while the higher one slept");
    BENCH_REQUIRE(attempt == EXCLUDED, "a second thread locked an owned mutex");
    BENCH_REQUIRE(bench_mutex_unlock(mutex) == BENCH_OK, "the owner could not unlock its mutex");
}

static void intruder(void) {
    attempt = bench_mutex_lock(mutex, BENCH_NO_WAIT) == BENCH_TIMED_OUT ? EXCLUDED : LET_IN;
    for (;;) {
    }
}

static void thread_0(void) {
    verify();
    for (;;) {
        if (bench_mutex_lock(mutex, BENCH_NO_WAIT) != BENCH_OK ||
            bench_mutex_unlock(mutex) != BENCH_OK) {
            break;
        }
        BENCH_MARK("iteration.0");
        counter++;
    }
    bench_fail("a mutex that no other thread uses could not be locked");
}

static const struct bench_task_declaration threads[] = {
    TM_THREAD(thread_0, 10, BENCH_READY),
    TM_THREAD(intruder, 11, BENCH_READY),
};

static const struct bench_mutex_declaration mutexes[] = {{.inherits = 0}};

const struct bench_scenario bench_scenario = {
    .name = "synchronization-mutex", BENCH_TASKS(threads), BENCH_MUTEXES(mutexes)};
