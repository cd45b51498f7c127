// SPDX-License-Identifier: MIT
//
// Interrupt latency: from the request to the handler's first instruction.
#include "../shared/interrupt_latency.h"

static const struct bench_task_declaration tasks[] = {TASK(caller, LOW_PRIORITY)};

const struct bench_scenario bench_scenario = {
    .name = "interrupt-latency", BENCH_TASKS(tasks), BENCH_INTERRUPTS(interrupts)};
