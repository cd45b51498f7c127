// SPDX-License-Identifier: MIT
//
// The central scheduler: one node, the master, schedules the threads of all nodes, and the other
// nodes send it requests. All nodes run the same image, in one of these two roles.
#ifndef NODES_CENTRAL_H
#define NODES_CENTRAL_H

#include "machine.h"
#include "scheduler.h"

#define MASTER 0

void master_boot(uint32_t tick_cycles);
struct thread *master_start(struct thread *first);
struct thread *master_requested(struct thread *running);
struct thread *master_timer(void);

void slave_boot(void);
struct thread *slave_start(struct thread *first);
struct thread *slave_decided(struct thread *running);

#endif
