// SPDX-License-Identifier: MIT
//
// The threads that wait for an object: highest priority first, FIFO among equals.
//
// Pure. The first waiter of each priority is in the list; its equals stand behind it in a ring, the
// one that the ready queue would have them in, which a waiting thread is not in. So to enter and to
// leave passes at most one thread of each higher priority, however many wait.
#ifndef KERNEL_WAIT_H
#define KERNEL_WAIT_H

#include "ready.h"

// The place in the list where waiters of this priority are, or would be.
static inline struct thread **wait_level(struct wait_list *list, uint32_t bit) {
    struct thread **link = &list->first;
    while (*link != NULL && (*link)->bit > bit) {
        link = &(*link)->wait_lower;
    }
    return link;
}

static inline void wait_enter(struct wait_list *list, struct thread *thread) {
    struct thread **link = wait_level(list, thread->bit);
    thread->waits_in = list;
    if (*link != NULL && (*link)->bit == thread->bit) {
        ready_link_last(*link, thread);
    } else {
        thread->wait_lower = *link;
        *link = thread;
    }
}

// Takes `thread` out of the list in which it waits. It has the priority that it entered with.
static inline void wait_leave(struct thread *thread) {
    struct thread **link = wait_level(thread->waits_in, thread->bit);
    struct thread *next = thread->next;
    thread->waits_in = NULL;
    if (next == thread) {
        *link = thread->wait_lower;
        return;
    }
    if (*link == thread) {
        next->wait_lower = thread->wait_lower;
        *link = next;
    }
    ready_unlink(thread);
}

#endif
