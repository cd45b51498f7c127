// SPDX-License-Identifier: MIT
//
// A queue of threads by level, first in first out among equals: every operation in constant time.
// One ring for each level, known by its last thread, so that the first is next to it; a thread goes
// behind its equals by moving that one pointer.
#ifndef NODES_QUEUE_H
#define NODES_QUEUE_H

#include "levels.h"
#include "thread.h"

struct queue {
    uint32_t levels; // bit n: there are threads of level n
    struct thread *last[LEVELS];
};

// NULL if the queue is empty.
static inline struct thread *queue_first(const struct queue *queue) {
    return queue->levels ? queue->last[levels_lowest(queue->levels)]->next : NULL;
}

static inline void queue_append(struct queue *queue, struct thread *thread) {
    const uint32_t level = thread->level, bit = 1u << level;
    struct thread *last = queue->last[level];
    queue->last[level] = thread;
    if (!(queue->levels & bit)) {
        queue->levels |= bit;
        thread->next = thread->previous = thread;
        return;
    }
    thread->next = last->next;
    thread->previous = last;
    last->next->previous = thread;
    last->next = thread;
}

static inline void queue_remove(struct queue *queue, struct thread *thread) {
    struct thread *previous = thread->previous;
    if (previous == thread) {
        queue->levels &= ~(1u << thread->level);
        return;
    }
    previous->next = thread->next;
    thread->next->previous = previous;
    if (queue->last[thread->level] == thread) {
        queue->last[thread->level] = previous;
    }
}

// Puts the first of its level behind its equals; the result is then the first of that level.
static inline struct thread *queue_rotate(struct queue *queue, struct thread *thread) {
    queue->last[thread->level] = thread;
    return thread->next;
}

#endif
