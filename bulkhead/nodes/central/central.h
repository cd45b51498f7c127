// SPDX-License-Identifier: MIT
//
// The central scheduler: the master decides for all nodes, the others ask it. One image, two roles.
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
