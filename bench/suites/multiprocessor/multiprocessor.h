// SPDX-License-Identifier: MIT
//
// Shared by the scenarios of this suite. A parameter is a macro: PARAM_ and its name in capitals
// (suite.toml, `params`). bus_latency is a property of the machine and has no macro.
#ifndef MULTIPROCESSOR_H
#define MULTIPROCESSOR_H

#include "../shared/tasks.h"

#define TASK_ON(task_node, task_entry, task_priority) \
    {.name = #task_entry,                             \
     .entry = (task_entry),                           \
     .stack_bytes = STACK_BYTES,                      \
     .priority = (task_priority),                     \
     .node = (task_node)}

#endif
