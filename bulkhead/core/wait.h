// SPDX-License-Identifier: MIT
//
// The threads that wait for an object: highest priority first, FIFO among equals.
//
// Pure. The first waiter of each priority is in the list; its equals stand behind it in a ring, the
// one that the ready queue would have them in, which a waiting thread is not in. So to enter and to
// leave passes at most one thread of each higher priority, however many wait.
#ifndef KERNEL_WAIT_H
#define KERNEL_WAIT_H

#include <ready.h>

// The place in the list where waiters of this priority are, or would be.
struct thread **wait_level(struct wait_list *list, uint32_t bit);

void wait_enter(struct wait_list *list, struct thread *thread);

// Takes `thread` out of the list in which it waits. It has the priority that it entered with.
void wait_leave(struct thread *thread);

#endif
