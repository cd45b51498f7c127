// SPDX-License-Identifier: MIT
//
// `resume.from_interrupt`: an interrupt resumes a thread, which pre-empts the interrupted thread.
#include "suspension.h"

static void low(void) {
    BENCH_MARK("begin");
    BENCH_REQUIRE(passes == 0, "start: a thread that is created suspended ran");
    for (unsigned round = 1; round <= ROUNDS; round++) {
        TM_CAUSE_INTERRUPT;
        require_pass(round);
    }
    proved();
}

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_RESUMES, .object = HIGH},
};

const struct bench_scenario bench_scenario = {
    .name = "tm-interrupt-resumes", BENCH_TASKS(tasks), BENCH_INTERRUPTS(interrupts)};
