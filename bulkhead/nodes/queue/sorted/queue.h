// SPDX-License-Identifier: MIT
//
// A queue of threads as one list, sorted by level. Its cost grows with the number of threads. The
// software kernel of Samuelsson et al. has this data structure ("A Comparison of Multiprocessor
// RTOS Implemented in Hardware and Software", section 3.1).
#ifndef NODES_QUEUE_H
#define NODES_QUEUE_H

#include "thread.h"

struct queue {
    struct thread *first;
};

// Returns the first thread, NULL if the queue is empty.
static inline struct thread *queue_first(const struct queue *queue) {
    return queue->first;
}

static inline void queue_append(struct queue *queue, struct thread *thread) {
    struct thread *before = NULL, *after = queue->first;
    while (after && after->level <= thread->level) {
        before = after;
        after = after->next;
    }
    thread->next = after;
    thread->previous = before;
    if (before) {
        before->next = thread;
    } else {
        queue->first = thread;
    }
    if (after) {
        after->previous = thread;
    }
}

static inline void queue_remove(struct queue *queue, struct thread *thread) {
    if (thread->previous) {
        thread->previous->next = thread->next;
    } else {
        queue->first = thread->next;
    }
    if (thread->next) {
        thread->next->previous = thread->previous;
    }
}

// Puts the thread after its equals. Returns the first of all threads.
static inline struct thread *queue_rotate(struct queue *queue, struct thread *thread) {
    queue_remove(queue, thread);
    queue_append(queue, thread);
    return queue->first;
}

#endif
