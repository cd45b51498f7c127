// SPDX-License-Identifier: MIT
//
// `interrupt-handler`: the scenario's handler runs in the interrupt's context, and a task that it
// wakes pre-empts the interrupted task only after the handler has returned.
#include "conformance.h"

#include <arch/interrupt.h>

static const struct bench_semaphore posted = {0};
static volatile int handler_done;
static volatile unsigned woken;

static void handler(void) {
    BENCH_REQUIRE(arch_interrupt_active(), "interrupt-handler: called in a task's context");
    REQUIRE_OK(bench_semaphore_give_from_interrupt(posted), "interrupt-handler: give refused");
    BENCH_REQUIRE(woken == 0, "interrupt-handler: a task ran before the handler had returned");
    handler_done = 1;
}

static void waiter(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(posted, BENCH_FOREVER),
                   "semaphore: a take without timeout failed");
        BENCH_REQUIRE(handler_done,
                      "interrupt-handler: a task ran before the handler had returned");
        woken++;
    }
}

static void prover(void) {
    BENCH_MARK("begin");
    BENCH_REQUIRE(!arch_interrupt_active(), "start: a task runs in an interrupt's context");
    bench_interrupt_trigger((struct bench_interrupt){0});
    BENCH_REQUIRE(handler_done, "interrupt: not taken");
    BENCH_REQUIRE(woken == 1, "interrupt-handler: the task it woke did not pre-empt");
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(waiter, 5, BENCH_READY),
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_HANDLER, .handler = handler},
};

const struct bench_scenario bench_scenario = {.name = "interrupt-handler",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(interrupts)};
