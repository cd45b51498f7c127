// SPDX-License-Identifier: MIT
//
// A high task waits for a semaphore. The kernel gives the semaphore from an interrupt that a task
// of lower priority requests.
#ifndef SHARED_PREEMPTION_H
#define SHARED_PREEMPTION_H

#include "tasks.h"

static const struct bench_semaphore event = {0};
static volatile uint32_t caused, served;

static void high(void) {
    for (;;) {
        const enum bench_status status = bench_semaphore_take(event, BENCH_FOREVER);
        BENCH_MARK("high.runs");
        BENCH_REQUIRE(status == BENCH_OK, "a take without timeout failed");
        served++;
    }
}

static inline void cause_event(void) {
    caused++;
    BENCH_MARK("event");
    bench_interrupt_trigger((struct bench_interrupt){0});
    BENCH_REQUIRE(served == caused, "interrupt: not taken, or the task it woke did not pre-empt");
}

static inline void low(void) {
    for (;;) {
        cause_event();
    }
}

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_POSTS, .object = 0},
};

#endif
