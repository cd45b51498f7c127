// SPDX-License-Identifier: MIT
//
// What the scenarios of several suites share: priorities, stacks, how a service must answer, and
// the task that never runs. The other files of this folder are tasks at work; a suite's scenario
// declares them and gives them its objects.
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

// Ready, and never to run: higher tasks are always there.
static inline void stay_ready(void) {
    for (;;) {
    }
}

#endif
