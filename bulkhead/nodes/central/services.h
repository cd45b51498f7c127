// SPDX-License-Identifier: MIT
//
// The master's services: what a call does to the queues of all nodes, whoever makes it.
#ifndef NODES_SERVICES_H
#define NODES_SERVICES_H

#include "queue.h"
#include "scheduler.h"

// Of each node: the threads that are ready, and the one that the master has decided for.
extern struct queue ready[NODES_MAX];

// Serves `caller`, which may be of any node. Arguments were checked by the caller's node.
typedef enum nodes_result service(struct thread *caller, uint32_t argument);

service service_yield, service_take, service_give, service_delay, service_create, service_exit,
    service_priority, service_init;

// Readies the threads that are due.
void service_wake_due(void);

// Nodes to whose ready queues threads were added since the last call, one bit each.
uint32_t service_woken(void);

#endif
