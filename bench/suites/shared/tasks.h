// SPDX-License-Identifier: MIT
//
// Shared by the scenarios of several suites: priorities, stacks, the check of a service's result,
// and a task that never runs. The other files of this folder define the bodies of tasks; each
// scenario declares the tasks and their objects.
#ifndef SHARED_TASKS_H
#define SHARED_TASKS_H

#include <bench/mark.h>
#include <bench/port.h>

enum { STACK_BYTES = 512 };
enum { HIGH_PRIORITY = 5, MIDDLE_PRIORITY = 8, LOW_PRIORITY = 10, IDLE_PRIORITY = 20 };

#define TASK(task_entry, task_priority) \
    {.name = #task_entry,               \
     .entry = (task_entry),             \
     .stack_bytes = STACK_BYTES,        \
     .priority = (task_priority)}

#define REQUIRE_OK(call, reason) BENCH_REQUIRE((call) == BENCH_OK, reason)

// A task that is ready and never runs, because a task of higher priority is always ready.
static inline void stay_ready(void) {
    for (;;) {
    }
}

#endif
