// SPDX-License-Identifier: MIT
//
// `interrupt`: a requested interrupt has been taken when the request returns, and the higher task
// that its action wakes has run. That it was an exception the event log shows (suite.toml:
// external).
#include "conformance.h"

static const struct bench_semaphore posted = {0};
static volatile unsigned woken;

static void waiter(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(posted, BENCH_FOREVER),
                   "semaphore: waiting for ever ended");
        woken++;
    }
}

static void prover(void) {
    BENCH_MARK("begin");
    bench_interrupt_trigger((struct bench_interrupt){0});
    BENCH_REQUIRE(woken != 0, "interrupt: not taken, or the task it woke did not pre-empt");
    BENCH_REQUIRE(woken == 1, "interrupt: taken more than once");
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(waiter, 5, BENCH_READY),
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_POSTS, .object = 0},
};

const struct bench_scenario bench_scenario = {.name = "interrupt",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(interrupts)};
