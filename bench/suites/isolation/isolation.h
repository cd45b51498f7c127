// SPDX-License-Identifier: MIT
//
// Shared by the scenarios of this suite: two processes, of which the first uses the second.
#ifndef ISOLATION_H
#define ISOLATION_H

#include "../shared/tasks.h"

enum { FIRST, SECOND }; // processes

#define TASK_OF(task_process, task_entry, task_priority) \
    {.name = #task_entry,                                \
     .entry = (task_entry),                              \
     .stack_bytes = STACK_BYTES,                         \
     .priority = (task_priority),                        \
     .process = (task_process)}

#define BOTH ((1u << FIRST) | (1u << SECOND)) // users of an object

static const struct bench_process_declaration processes[] = {
    [FIRST] = {.name = "first"},
    [SECOND] = {.name = "second", .restarts = 1},
};

#endif
