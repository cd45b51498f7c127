// SPDX-License-Identifier: MIT
//
// Shared by the proofs of `process` and `fault`: two processes, and tasks in them.
#ifndef CONFORMANCE_PROCESSES_H
#define CONFORMANCE_PROCESSES_H

#include "conformance.h"

enum { FIRST, SECOND };
enum { BOTH = (1u << FIRST) | (1u << SECOND) }; // users of an object

#define TASK_OF(task_process, task_entry, task_priority) \
    {.name = #task_entry,                                \
     .entry = (task_entry),                              \
     .stack_bytes = CONFORMANCE_STACK_BYTES,             \
     .priority = (task_priority),                        \
     .process = (task_process)}

static const struct bench_process_declaration processes[] = {
    [FIRST] = {.name = "first"},
    [SECOND] = {.name = "second", .restarts = 1},
};

#endif
