// SPDX-License-Identifier: MIT
//
// The interface between the two parts of the semi-distributed scheduler: the node's own part, and
// the shared semaphores.
#ifndef NODES_SEMI_H
#define NODES_SEMI_H

#include "machine.h"
#include "queue.h"
#include "scheduler.h"

// Removes the running thread from the ready queue and returns the thread to run.
struct thread *semi_block(struct thread *self);

// Readies a thread of this node. Returns the thread to run.
struct thread *semi_ready(struct thread *thread);

// Readies a thread that waits, of this node or another one. Returns the thread to run.
static inline struct thread *semi_wake(struct thread *thread, struct thread *self) {
    if (thread->node == nodes_self) {
        return semi_ready(thread);
    }
    RING_BITS(thread->node) = 1u << thread->place;
    return self;
}

// Enters the semaphores' calls into the table of calls; on the master, sets all counts to 0.
void semi_semaphores_boot(void);

#endif
