// SPDX-License-Identifier: MIT
//
// `interrupt-line`: a device that pends the line of a declared interrupt causes its action, once,
// amid code that knows nothing of it.
#include "conformance.h"

#include <bench/injection.h>

enum { SOON_INSTRUCTIONS = 200, LONG_AFTER = 10000 };

static const struct bench_semaphore posted = {0};
static volatile unsigned woken;

static void waiter(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(posted, BENCH_FOREVER),
                   "semaphore: waiting for ever ended");
        woken++;
    }
}

static void prover(void) {
    bench_injection_bind(bench_interrupt_line((struct bench_interrupt){0}));
    bench_injection_arm(SOON_INSTRUCTIONS);
    BENCH_REQUIRE(woken == 0, "interrupt-line: pended before its time");
    for (volatile unsigned i = 0; i < LONG_AFTER; i++) {
    }
    BENCH_REQUIRE(bench_injection_disarm() != 0, "interrupt-line: the device pended nothing");
    BENCH_REQUIRE(woken != 0, "interrupt-line: not taken, or the task it woke did not pre-empt");
    BENCH_REQUIRE(woken == 1, "interrupt-line: taken more than once");
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(waiter, 5, BENCH_READY),
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_POSTS, .object = 0},
};

const struct bench_scenario bench_scenario = {.name = "interrupt-line",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(interrupts)};
