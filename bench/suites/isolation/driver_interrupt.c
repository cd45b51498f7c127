// SPDX-License-Identifier: MIT
//
// An interrupt interrupts a task of one process and is served by a driver, a task of another
// process. The spans start at the request or at the interrupt's entry and end at the next
// instruction of the interrupted task.
//
// The driver only waits for the next interrupt, so the span contains the kernel, one call and its
// check. The order of the marks proves that each request was served (suite.toml).
#include "isolation.h"

enum { DRIVER, INTERRUPTED };

static const struct bench_interrupt line = {0};

static void driver(void) {
    for (;;) {
        const enum bench_status status = bench_interrupt_wait(line, BENCH_FOREVER);
        BENCH_MARK("driver");
        BENCH_REQUIRE(status == BENCH_OK, "a wait for an interrupt without timeout failed");
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
