// SPDX-License-Identifier: MIT
//
// Preemption: the kernel recognises an external event, an interrupt, and gives the processor from
// the running task to a higher one that waited for it.
#include "rhealstone.h"

static const struct bench_semaphore event = {0};
static volatile uint32_t caused, served;

static void high(void) {
    for (;;) {
        const enum bench_status status = bench_semaphore_take(event, BENCH_FOREVER);
        BENCH_MARK("high.runs");
        BENCH_REQUIRE(status == BENCH_OK, "an endless wait for a semaphore ended without it");
        served++;
    }
}

static void low(void) {
    for (;;) {
        caused++;
        BENCH_MARK("event");
        bench_interrupt_trigger((struct bench_interrupt){0});
        BENCH_REQUIRE(served == caused,
                      "interrupt: not taken, or the task it woke did not pre-empt");
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(high, HIGH_PRIORITY),
    TASK(low, LOW_PRIORITY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_POSTS, .object = 0},
};

const struct bench_scenario bench_scenario = {.name = "preemption",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(interrupts)};
