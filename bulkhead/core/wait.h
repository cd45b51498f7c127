// SPDX-License-Identifier: MIT
//
// The threads that wait for an object: highest priority first, FIFO among equals.
//
// Pure. The first is there in constant time; to enter and to leave early is linear in the waiters
// ahead.
#ifndef KERNEL_WAIT_H
#define KERNEL_WAIT_H

#include "thread.h"

static inline void wait_enter(struct wait_list *list, struct thread *thread) {
    struct thread **link = &list->first;
    while (*link != NULL && (*link)->bit >= thread->bit) {
        link = &(*link)->wait_next;
    }
    thread->wait_next = *link;
    *link = thread;
    thread->waits_in = list;
}

// Takes `thread` out of the list in which it waits.
static inline void wait_leave(struct thread *thread) {
    struct thread **link = &thread->waits_in->first;
    while (*link != thread) {
        link = &(*link)->wait_next;
    }
    *link = thread->wait_next;
    thread->waits_in = NULL;
}

#endif
