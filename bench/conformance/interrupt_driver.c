// SPDX-License-Identifier: MIT
//
// `interrupt-driver`: each request wakes the driver once and at once; a request that comes before
// the driver acknowledges the previous one is delivered after the acknowledgement.
#include "conformance.h"

static const struct bench_interrupt line = {0};
static volatile unsigned served;

static void driver(void) {
    REQUIRE_TIMED_OUT(bench_interrupt_wait(line, BENCH_NO_WAIT),
                      "interrupt-driver: delivered without a request");
    for (;;) {
        REQUIRE_OK(bench_interrupt_wait(line, BENCH_FOREVER),
                   "interrupt-driver: a wait without timeout failed");
        if (++served == 2) {
            bench_interrupt_trigger(line);
        }
    }
}

static void prover(void) {
    BENCH_REQUIRE(served == 0, "interrupt-driver: delivered without a request");
    BENCH_MARK("begin");
    bench_interrupt_trigger(line);
    BENCH_REQUIRE(served != 0, "interrupt-driver: not delivered, or the driver did not pre-empt");
    BENCH_REQUIRE(served == 1, "interrupt-driver: delivered more than once");
    bench_interrupt_trigger(line);
    BENCH_REQUIRE(served == 3, "interrupt-driver: a request before the acknowledgement was lost");
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
    .name = "interrupt-driver", BENCH_TASKS(tasks), BENCH_INTERRUPTS(interrupts)};
