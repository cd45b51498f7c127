// SPDX-License-Identifier: MIT
//
// `unprivileged` with `interrupt-driver`: a driver never runs privileged, neither at its start nor
// after its interrupt.
#include "unprivileged.h"

enum { REQUESTS = 2 };

static const struct bench_interrupt line = {0};
static volatile unsigned served;

static void driver(void) {
    for (;;) {
        require_unprivileged();
        REQUIRE_OK(bench_interrupt_wait(line, BENCH_FOREVER),
                   "interrupt-driver: a wait without timeout failed");
        served++;
    }
}

static void prover(void) {
    BENCH_MARK("begin");
    for (unsigned requests = 1; requests <= REQUESTS; requests++) {
        bench_interrupt_trigger(line);
        BENCH_REQUIRE(served == requests, "interrupt-driver: not delivered once");
        require_unprivileged();
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(driver, 5, BENCH_READY),
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_DELIVERS, .object = 0},
};

const struct bench_scenario bench_scenario = {
    .name = "unprivileged-driver", BENCH_TASKS(tasks), BENCH_INTERRUPTS(interrupts)};
