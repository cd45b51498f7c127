// SPDX-License-Identifier: MIT
//
// Interrupt latency: from the request to the handler's first instruction.
#include "rhealstone.h"

static volatile uint32_t requested, handled;

static void handler(void) {
    BENCH_MARK("handler");
    handled++;
}

static void caller(void) {
    for (;;) {
        requested++;
        BENCH_MARK("request");
        bench_interrupt_trigger((struct bench_interrupt){0});
        BENCH_REQUIRE(handled == requested, "interrupt: not taken, or more than once");
    }
}

static const struct bench_task_declaration tasks[] = {TASK(caller, LOW_PRIORITY)};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_HANDLER, .handler = handler},
};

const struct bench_scenario bench_scenario = {
    .name = "interrupt-latency", BENCH_TASKS(tasks), BENCH_INTERRUPTS(interrupts)};
