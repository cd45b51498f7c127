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

// The same for a list that is empty.
static inline void wait_enter_empty(struct wait_list *list, struct thread *thread) {
    thread->wait_lower = NULL;
    thread->waits_in = list;
    list->first = thread;
}

// Takes `thread` out of the list in which it waits. It has the priority that it entered with.
void wait_leave(struct thread *thread);

// Returns whether the first thread of a list is the only one.
static inline bool wait_is_only(const struct thread *first) {
    return first->next == first && first->wait_lower == NULL;
}

// Takes the first thread out of its list.
static inline void wait_leave_first(struct wait_list *list, struct thread *first) {
    struct thread *next = first->next;
    first->waits_in = NULL;
    if (next == first) {
        list->first = first->wait_lower;
        return;
    }
    next->wait_lower = first->wait_lower;
    list->first = next;
    ready_unlink(first);
}

#endif
