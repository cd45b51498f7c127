// SPDX-License-Identifier: MIT
//
// The threads that wait for an object: highest priority first, FIFO among equals.
//
// Pure. The list links the first waiter of each priority. The waiters of one priority are linked in
// a ring by the same fields that the ready queue uses, because a waiting thread is not in the ready
// queue. To enter or to leave passes at most one thread of each higher priority, however many wait.
#ifndef KERNEL_WAIT_H
#define KERNEL_WAIT_H

#include <ready.h>

// Returns the link to the first waiter of this priority, or to where it would be.
struct thread **wait_level(struct wait_list *list, uint32_t mask);

// Adds `thread`, which is in no ring, after its equals.
void wait_enter(struct wait_list *list, struct thread *thread);

// Takes `thread` out of the list in which it waits. It has the priority that it entered with.
void wait_leave(struct thread *thread);

#endif
