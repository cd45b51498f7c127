// SPDX-License-Identifier: MIT
//
// A task requests an interrupt whose handler belongs to the application and wakes no task.
#include "../shared/interrupt_latency.h"
#include "background.h"

static void user(void) {
    use_at_each_tick(request_interrupt, USES);
}

static const struct bench_task_declaration tasks[] = {TASK(user, LOW_PRIORITY), DHRYSTONE};

const struct bench_scenario bench_scenario = {
    .name = "interrupt-latency", BENCH_TASKS(tasks), BENCH_INTERRUPTS(interrupts)};
