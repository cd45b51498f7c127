// SPDX-License-Identifier: MIT
//
// An interrupt comes to the first node and gives a semaphore, which wakes the second node's task;
// that task gives another semaphore, which the first node's task takes. The span runs from before
// the request of the interrupt to the return of the take. Scenario
// semaphore-between has the same span, with a give in place of the interrupt.
#include "round_trip.h"

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_POSTS, .object = 0},
};

static inline enum bench_status wake_other(void) {
    bench_interrupt_trigger((struct bench_interrupt){0});
    return BENCH_OK;
}

const struct bench_scenario bench_scenario = {
    .name = "interrupt-between",
    BENCH_TASKS(tasks),
    BENCH_SEMAPHORES(semaphores),
    BENCH_INTERRUPTS(interrupts),
};
