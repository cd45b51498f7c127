// SPDX-License-Identifier: MIT
//
// An interrupt amid one process is served by a driver, a task of another: from the request, or from
// the interrupt's entry, to the next instruction of who was interrupted.
//
// The driver does nothing but wait for the next one, so that the span is the kernel's and one call
// and its check. That each request was served shows the order of the marks (suite.toml).
#include "isolation.h"

enum { DRIVER, INTERRUPTED };

static const struct bench_interrupt line = {0};

static void driver(void) {
    for (;;) {
        const enum bench_status status = bench_interrupt_wait(line, BENCH_FOREVER);
        BENCH_MARK("driver");
        BENCH_REQUIRE(status == BENCH_OK, "an endless wait for an interrupt ended without it");
    }
}

static void interrupted(void) {
    for (;;) {
        BENCH_MARK("request");
        bench_interrupt_trigger(line);
        BENCH_MARK("resumed");
    }
}

static const struct bench_task_declaration tasks[] = {
    [DRIVER] = TASK_OF(SECOND, driver, HIGH_PRIORITY),
    [INTERRUPTED] = TASK_OF(FIRST, interrupted, LOW_PRIORITY),
};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_DELIVERS, .object = DRIVER, .users = 1u << FIRST},
};

const struct bench_scenario bench_scenario = {.name = "driver-interrupt",
                                              BENCH_TASKS(tasks),
                                              BENCH_PROCESSES(processes),
                                              BENCH_INTERRUPTS(interrupts)};
