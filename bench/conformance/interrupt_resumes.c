// SPDX-License-Identifier: MIT
//
// `interrupt` with `suspend` and `resume`: an interrupt can resume a task, which pre-empts the
// interrupted task.
#include "conformance.h"

enum { HIGH, PROVER };

static volatile unsigned passes;

static void high(void) {
    for (;;) {
        passes++;
        REQUIRE_OK(bench_task_suspend((struct bench_task){HIGH}),
                   "suspend: a task could not suspend itself");
    }
}

static void prover(void) {
    BENCH_REQUIRE(passes == 0, "start: a task declared as suspended ran");
    BENCH_MARK("begin");
    bench_interrupt_trigger((struct bench_interrupt){0});
    BENCH_REQUIRE(passes == 1, "interrupt: the task that it resumes did not pre-empt");
    proved();
}

static const struct bench_task_declaration tasks[] = {
    [HIGH] = TASK(high, 5, BENCH_SUSPENDED),
    [PROVER] = TASK(prover, 10, BENCH_READY),
};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_RESUMES, .object = HIGH},
};

const struct bench_scenario bench_scenario = {
    .name = "interrupt-resumes", BENCH_TASKS(tasks), BENCH_INTERRUPTS(interrupts)};
