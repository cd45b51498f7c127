// SPDX-License-Identifier: MIT
//
// High tasks wait for a semaphore that a low task gives. Every give wakes one of them, and its next
// take blocks it again. The two spans are the halves of a round, and each contains one task switch.
// signal-unblock runs from before the give to after the take. wait-block runs from before the next
// take to after the low task's give.
#include "fpu.h"

enum {
    LOW,
    FIRST_WAITER,
    FIRST_READY = FIRST_WAITER + PARAM_WAITERS,
    TASKS = FIRST_READY + PARAM_READY
};

static const struct bench_semaphore semaphore = {0};

static volatile uint32_t given, taken;

static void waiter(void) {
    float kept = HIGH_PRIORITY;
    for (;;) {
        kept = compute(kept, HIGH_PRIORITY);
        BENCH_MARK("wait.before");
        const enum bench_status status = bench_semaphore_take(semaphore, BENCH_FOREVER);
        BENCH_MARK("wait.after");
        BENCH_REQUIRE(status == BENCH_OK, "a take without timeout failed");
        taken++;
        BENCH_REQUIRE(taken == given, "a task was woken before its semaphore was given");
    }
}

static void low(void) {
    float kept = LOW_PRIORITY;
    for (;;) {
        kept = compute(kept, LOW_PRIORITY);
        given++;
        BENCH_MARK("signal.before");
        const enum bench_status status = bench_semaphore_give(semaphore);
        BENCH_MARK("signal.after");
        BENCH_REQUIRE(status == BENCH_OK, "a semaphore at 0 could not be given");
        BENCH_REQUIRE(taken == given, "the higher task that was woken did not run at once");
    }
}

static const struct bench_task_declaration tasks[] = {
    [LOW] = FPU_TASK(low, LOW_PRIORITY),
    [FIRST_WAITER... FIRST_READY - 1] = FPU_TASK(waiter, HIGH_PRIORITY),
    CROWD(FIRST_READY, PARAM_READY, TASKS, stay_ready, IDLE_PRIORITY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

const struct bench_scenario bench_scenario = {
    .name = "semaphore-blocking", SO_MANY(tasks, TASKS), BENCH_SEMAPHORES(semaphores)};
