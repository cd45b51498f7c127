// SPDX-License-Identifier: MIT
//
// `condition`: a wait releases the mutex and returns with it; a signal wakes one waiter, a
// broadcast all, and nobody before.
#include "../conformance.h"

enum { WAITERS = 3 };

static const struct bench_condition condition = {0};
static const struct bench_mutex mutex = {0};
static volatile uint32_t generation, permitted, passed;

// Waits for a permission of a new generation, takes it, and keeps the mutex for a tick.
static void waiter(void) {
    for (uint32_t seen = 0;;) {
        REQUIRE_OK(bench_mutex_lock(mutex, BENCH_FOREVER), "mutex: a lock without timeout failed");
        while (permitted == 0 || seen == generation) {
            REQUIRE_OK(bench_condition_wait(condition, mutex), "condition: a wait failed");
        }
        permitted--;
        seen = generation;
        bench_task_delay(1);
        passed++;
        REQUIRE_OK(bench_mutex_unlock(mutex), "condition: a wait returned without the mutex");
    }
}

static void permit(uint32_t count) {
    REQUIRE_OK(bench_mutex_lock(mutex, BENCH_NO_WAIT), "condition: a waiter kept the mutex");
    generation++;
    permitted = count;
    const enum bench_status status =
        count == 1 ? bench_condition_signal(condition) : bench_condition_broadcast(condition);
    REQUIRE_OK(status, "condition: a signal failed");
    BENCH_REQUIRE(permitted == count, "condition: a waiter ran without the mutex");
    REQUIRE_OK(bench_mutex_unlock(mutex), "mutex: the owner could not unlock");
}

static void prover(void) {
    BENCH_MARK("begin");
    BENCH_REQUIRE(passed == 0, "condition: a waiter was woken without a signal");
    permit(1);
    BENCH_REQUIRE(permitted == 0, "condition: a signal woke no waiter");
    REQUIRE_TIMED_OUT(bench_mutex_lock(mutex, BENCH_NO_WAIT),
                      "condition: a woken waiter does not own the mutex");
    bench_task_delay(3);
    permit(WAITERS);
    bench_task_delay(2 * WAITERS);
    BENCH_REQUIRE(passed == 1 + WAITERS, "condition: a broadcast did not wake every waiter");
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(waiter, 5, BENCH_READY),
    TASK(waiter, 5, BENCH_READY),
    TASK(waiter, 5, BENCH_READY),
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_mutex_declaration mutexes[] = {{.inherits = 1}};
static const struct bench_condition_declaration conditions[] = {{0}};

const struct bench_scenario bench_scenario = {
    .name = "condition", BENCH_TASKS(tasks), BENCH_MUTEXES(mutexes), BENCH_CONDITIONS(conditions)};
