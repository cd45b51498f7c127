// SPDX-License-Identifier: MIT
//
// What the scenarios of this suite share. Parameters are macros, PARAM_ and the name in capitals
// (suite.toml, `params`); bus_latency is of the machine and no macro.
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
