// SPDX-License-Identifier: MIT
//
// A task requests an interrupt whose handler is the application's own: from before the request to
// the handler's first instruction.
#include "services.h"

enum { CALLER, FIRST_READY, TASKS = FIRST_READY + PARAM_READY };

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

static const struct bench_task_declaration tasks[] = {
    [CALLER] = TASK(caller, LOW_PRIORITY),
    CROWD(FIRST_READY, PARAM_READY, TASKS, stay_ready, IDLE_PRIORITY),
};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_HANDLER, .handler = handler},
};

const struct bench_scenario bench_scenario = {
    .name = "interrupt-latency", SO_MANY(tasks, TASKS), BENCH_INTERRUPTS(interrupts)};
