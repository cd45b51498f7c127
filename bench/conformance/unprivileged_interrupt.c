// SPDX-License-Identifier: MIT
//
// `unprivileged` with `interrupt`: neither the task that an interrupt wakes nor, after the
// interrupt, the interrupted task runs privileged.
#include "unprivileged.h"

enum { POSTED, RESUMED, NOTIFIED, PROVER, ROUNDS = 2 };

static const struct bench_semaphore semaphore = {0};
static volatile unsigned woken;

static void arrive(void) {
    require_unprivileged();
    woken++;
}

static void posted(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(semaphore, BENCH_FOREVER),
                   "semaphore: a take without timeout failed");
        arrive();
    }
}

static void resumed(void) {
    for (;;) {
        arrive();
        REQUIRE_OK(bench_task_suspend((struct bench_task){RESUMED}),
                   "suspend: a task could not suspend itself");
    }
}

static void notified(void) {
    for (;;) {
        REQUIRE_OK(bench_notification_wait(BENCH_FOREVER),
                   "notification: a wait without timeout failed");
        arrive();
    }
}

static void prover(void) {
    BENCH_MARK("begin");
    for (uint32_t i = 0; i < PROVER * ROUNDS; i++) {
        bench_interrupt_trigger((struct bench_interrupt){i % PROVER});
        BENCH_REQUIRE(woken == i + 1, "interrupt: the task that it wakes did not pre-empt");
        require_unprivileged();
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {
    [POSTED] = TASK(posted, 5, BENCH_READY),
    [RESUMED] = TASK(resumed, 5, BENCH_SUSPENDED),
    [NOTIFIED] = TASK(notified, 5, BENCH_READY),
    [PROVER] = TASK(prover, 10, BENCH_READY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

static const struct bench_interrupt_declaration interrupts[] = {
    [POSTED] = {.action = BENCH_INTERRUPT_POSTS, .object = 0},
    [RESUMED] = {.action = BENCH_INTERRUPT_RESUMES, .object = RESUMED},
    [NOTIFIED] = {.action = BENCH_INTERRUPT_NOTIFIES, .object = NOTIFIED},
};

const struct bench_scenario bench_scenario = {.name = "unprivileged-interrupt",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(interrupts)};
