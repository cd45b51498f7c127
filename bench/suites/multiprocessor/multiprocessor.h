// SPDX-License-Identifier: MIT
//
// What the scenarios of this suite share: where tasks are, and messages that tell whether they
// are the right ones.
//
// Parameters are macros, PARAM_ and the name in capitals (suite.toml, `params`):
//   placement  the node of the tasks that are measured, or of the first and the second: node 0 is
//              the master, which hosts the global memory; the others are slaves
//   transport  raw: a channel, the least that two semaphores need; bus: with priorities and
//              inheritance
// Two others are of the machine and no macros: bus_latency and nodes.
#ifndef MULTIPROCESSOR_H
#define MULTIPROCESSOR_H

#include "../shared/tasks.h"

enum placement { master, slave, master_slave, slave_master, slave_slave };
enum transport { raw, bus };

enum {
    FIRST_NODE = PARAM_PLACEMENT == master || PARAM_PLACEMENT == master_slave ? 0 : 1,
    SECOND_NODE = PARAM_PLACEMENT == slave_slave                  ? 2
    : PARAM_PLACEMENT == slave || PARAM_PLACEMENT == master_slave ? 1
                                                                  : 0,
};

#define TASK_ON(task_node, task_entry, task_priority) \
    {.name = #task_entry,                             \
     .entry = (task_entry),                           \
     .stack_bytes = STACK_BYTES,                      \
     .priority = (task_priority),                     \
     .node = (task_node)}

#endif
