// SPDX-License-Identifier: MIT
//
// Operations on the lists of waiters; wait.h describes the lists.
#include "wait.h"

struct thread **wait_level(struct wait_list *list, uint32_t mask) {
    struct thread **link = &list->first;
    while (*link != NULL && (*link)->priority_mask > mask) {
        link = &(*link)->wait_lower;
    }
    return link;
}

void wait_enter(struct wait_list *list, struct thread *thread) {
    struct thread **link = wait_level(list, thread->priority_mask);
    thread->waits_in = list;
    if (*link != NULL && (*link)->priority_mask == thread->priority_mask) {
        ready_link_last(*link, thread);
        (*link)->state |= THREAD_EQUALS;
        thread->state |= THREAD_EQUALS;
    } else {
        thread->wait_lower = *link;
        *link = thread;
    }
}

void wait_leave(struct thread *thread) {
    struct thread **link = wait_level(thread->waits_in, thread->priority_mask);
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
