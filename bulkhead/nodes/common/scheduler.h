// SPDX-License-Identifier: MIT
//
// What a scheduler provides, and what it is called with. A scheduler is a folder; the build picks
// one, and all else is the same for the three.
//
// The kernel runs with interrupts off, on one stack for each node, and never switches in the middle
// of C: a handler returns the thread that is to run next, and the entry does the rest.
#ifndef NODES_SCHEDULER_H
#define NODES_SCHEDULER_H

#include "thread.h"

// Handles a call of the running thread, `self`: writes the result to self->a[0] and returns the
// thread to run. Waits inside if there is none. `call` is its number.
typedef struct thread *call_handler(uint32_t argument, struct thread *self, uint32_t call);

// The result of a call of `self`, which goes on.
static inline struct thread *finish(struct thread *self, uint32_t result) {
    self->a[0] = result;
    return self;
}

// By number; entry.S knows it.
extern call_handler *calls[NODES_CALLS];

// Refuses every call; before the scheduler fills in its own.
void calls_boot(void);

// What nodes_start was given.
extern const struct nodes_system *kernel_system;

// Says why the kernel cannot go on, and stops the node.
_Noreturn void kernel_stop(const char *reason);

// Prepares what the node has to itself and, on the master, what all share; fills in `calls`. The
// other nodes have not started yet when it runs on the master, node 0.
void scheduler_boot(uint32_t tick_cycles);

// Makes `first` ready, NULL if the node has no task, and returns the thread to run. All nodes have
// booted.
struct thread *scheduler_start(struct thread *first);

// Interrupts that come while a thread runs.
struct thread *interrupt_software(struct thread *running);
struct thread *interrupt_timer(struct thread *running);
struct thread *interrupt_external(struct thread *running);

#endif
