// SPDX-License-Identifier: MIT
//
// The list of threads that wait for an object: highest priority first, and first come, first served
// within a priority.
//
// The file depends on nothing else of the kernel. The list links the first waiter of each priority.
// The waiters of one priority are linked in a ring by the same members that the ready queue uses,
// because a waiting thread is not in the ready queue. Entering or leaving passes at most one thread
// of each higher priority, however many threads wait.
#ifndef KERNEL_WAIT_H
#define KERNEL_WAIT_H

#include <ready.h>

// Returns the link to the first waiter of this priority, or the link where that waiter would be
// inserted.
struct thread **wait_level(struct wait_list *list, uint32_t mask);

// Adds `thread`, which is in no ring, after waiters of the same priority.
void wait_enter(struct wait_list *list, struct thread *thread);

// Adds `thread` to `list`, which is empty.
static inline void wait_enter_empty(struct wait_list *list, struct thread *thread) {
    thread->wait_lower = NULL;
    thread->waits_in = list;
    list->first = thread;
}

// Removes `thread` from the list in which it waits. Its priority must be the one with which it
// entered.
void wait_leave(struct thread *thread);

// Returns whether the first waiter of a list is the only one.
static inline bool wait_is_only(const struct thread *first) {
    return first->next == first && first->wait_lower == NULL;
}

// Removes the first waiter from its list.
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
