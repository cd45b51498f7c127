// SPDX-License-Identifier: MIT
//
// A task of higher priority waits for a condition; a signal makes it run up to the mutex, and the
// unlock lets it pass. The waiter then waits again.
#include "services.h"

enum { WAITER, LOW, TASKS };

static const struct bench_condition condition = {0};
static const struct bench_mutex mutex = {0};
static volatile uint32_t permitted;

static void waiter(void) {
    BENCH_REQUIRE(bench_mutex_lock(mutex, BENCH_FOREVER) == BENCH_OK,
                  "mutex: a free mutex could not be locked");
    for (;;) {
        while (permitted == 0) {
            BENCH_MARK("wait.before");
            const enum bench_status status = bench_condition_wait(condition, mutex);
            BENCH_MARK("wait.after");
            BENCH_REQUIRE(status == BENCH_OK, "condition: a wait failed");
        }
        permitted--;
    }
}

static void low(void) {
    for (;;) {
        BENCH_REQUIRE(bench_mutex_lock(mutex, BENCH_FOREVER) == BENCH_OK,
                      "condition: a waiter kept the mutex");
        permitted++;
        BENCH_MARK("signal.before");
        const enum bench_status signalled = bench_condition_signal(condition);
        BENCH_REQUIRE(signalled == BENCH_OK, "condition: a signal failed");
        const enum bench_status unlocked = bench_mutex_unlock(mutex);
        BENCH_MARK("unlock.after");
        BENCH_REQUIRE(unlocked == BENCH_OK, "mutex: the owner could not unlock");
        BENCH_REQUIRE(permitted == 0, "condition: a signalled task did not run");
    }
}

static const struct bench_task_declaration tasks[] = {
    [WAITER] = TASK(waiter, HIGH_PRIORITY),
    [LOW] = TASK(low, LOW_PRIORITY),
};

static const struct bench_mutex_declaration mutexes[] = {{.inherits = 1}};
static const struct bench_condition_declaration conditions[] = {{0}};

const struct bench_scenario bench_scenario = {.name = "condition-signal-unblock",
                                              SO_MANY(tasks, TASKS),
                                              BENCH_MUTEXES(mutexes),
                                              BENCH_CONDITIONS(conditions)};
