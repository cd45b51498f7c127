// SPDX-License-Identifier: MIT
//
// `unprivileged` with `interrupt-handler`: on a kernel with both services, handlers run
// unprivileged. A function that ran in the interrupt's own context would be privileged.
#include "unprivileged.h"

static void prover(void) {
    BENCH_MARK("begin");
    bench_interrupt_trigger((struct bench_interrupt){0});
    require_unprivileged();
    proved();
}

static const struct bench_task_declaration tasks[] = {TASK(prover, 10, BENCH_READY)};

static const struct bench_interrupt_declaration interrupts[] = {
    {.action = BENCH_INTERRUPT_HANDLER, .handler = require_unprivileged},
};

const struct bench_scenario bench_scenario = {
    .name = "unprivileged-handler", BENCH_TASKS(tasks), BENCH_INTERRUPTS(interrupts)};
