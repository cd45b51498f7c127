// SPDX-License-Identifier: MIT
//
// A task requests an interrupt whose handler belongs to the application. The span runs from before
// the request to the handler's first instruction.
#include "../shared/interrupt_latency.h"
#include "services.h"

enum { CALLER, FIRST_READY, TASKS = FIRST_READY + PARAM_READY };

static const struct bench_task_declaration tasks[] = {
    [CALLER] = TASK(caller, LOW_PRIORITY),
    CROWD(FIRST_READY, PARAM_READY, TASKS, stay_ready, IDLE_PRIORITY),
};

const struct bench_scenario bench_scenario = {
    .name = "interrupt-latency", SO_MANY(tasks, TASKS), BENCH_INTERRUPTS(interrupts)};
