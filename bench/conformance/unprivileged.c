// SPDX-License-Identifier: MIT
//
// `unprivileged`: no task runs privileged, neither at its start nor after a system call, and an
// attempt to mask interrupts does not change which task runs next.
#include "unprivileged.h"

#include <arch/interrupt.h>

enum { ROUNDS = 3 };

static const struct bench_semaphore handed_over = {0};
static volatile unsigned arrivals;

static void high(void) {
    for (;;) {
        require_unprivileged();
        arrivals++;
        REQUIRE_OK(bench_semaphore_take(handed_over, BENCH_FOREVER),
                   "semaphore: a take without timeout failed");
    }
}

static void low(void) {
    BENCH_MARK("begin");
    for (unsigned round = 1; round <= ROUNDS; round++) {
        require_unprivileged();
        BENCH_REQUIRE(arrivals == round, "start: a higher task did not run before a lower one");
        arch_interrupts_off();
        REQUIRE_OK(bench_semaphore_give(handed_over), "semaphore: refused to wake a waiter");
        bench_task_delay(1);
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(high, 5, BENCH_READY),
    TASK(low, 10, BENCH_READY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

const struct bench_scenario bench_scenario = {
    .name = "unprivileged", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
