// SPDX-License-Identifier: MIT
//
// `resume.from_interrupt` with `interrupt-handler`: a handler of the scenario resumes a task, which
// pre-empts the interrupted task after the handler has returned.
#include "conformance.h"

enum { HIGH, PROVER, ROUNDS = 3 };

static const struct bench_task high_task = {HIGH};
static volatile unsigned passes, handled;

static void handler(void) {
    REQUIRE_OK(bench_task_resume_from_interrupt(high_task),
               "interrupt-handler: a resume was refused");
    BENCH_REQUIRE(passes == handled, "interrupt-handler: a task ran before the handler returned");
    handled++;
}

static void high(void) {
    for (;;) {
        passes++;
        REQUIRE_OK(bench_task_suspend(high_task), "suspend: a task could not suspend itself");
    }
}

static void prover(void) {
    BENCH_REQUIRE(passes == 0, "start: a task declared as suspended ran");
    BENCH_MARK("begin");
    for (unsigned round = 1; round <= ROUNDS; round++) {
        bench_interrupt_trigger((struct bench_interrupt){0});
        BENCH_REQUIRE(handled == round, "interrupt: not taken");
        BENCH_REQUIRE(passes == round, "interrupt-handler: the task it resumed did not pre-empt");
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {
    [HIGH] = TASK(high, 5, BENCH_SUSPENDED),
    [PROVER] = TASK(prover, 10, BENCH_READY),
};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_HANDLER, .handler = handler},
};

const struct bench_scenario bench_scenario = {
    .name = "handler-resumes", BENCH_TASKS(tasks), BENCH_INTERRUPTS(interrupts)};
