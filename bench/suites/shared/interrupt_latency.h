// SPDX-License-Identifier: MIT
//
// A task requests an interrupt whose handler belongs to the application.
#ifndef SHARED_INTERRUPT_LATENCY_H
#define SHARED_INTERRUPT_LATENCY_H

#include "tasks.h"

static volatile uint32_t requested, handled;

static void handler(void) {
    BENCH_MARK("handler");
    handled++;
}

static inline void request_interrupt(void) {
    requested++;
    BENCH_MARK("request");
    bench_interrupt_trigger((struct bench_interrupt){0});
    BENCH_REQUIRE(handled == requested, "interrupt: not taken, or more than once");
}

static inline void caller(void) {
    for (;;) {
        request_interrupt();
    }
}

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_HANDLER, .handler = handler},
};

#endif
