// SPDX-License-Identifier: MIT
//
// A queue of threads by level, first in first out among equals: every operation takes constant
// time. Each level has one ring, known by its last thread, so that moving this one pointer puts a
// thread after its equals. Most queues have one thread or none: a thread that is alone in the queue
// is in no ring until another thread comes.
#ifndef NODES_QUEUE_H
#define NODES_QUEUE_H

#include "levels.h"
#include "thread.h"

struct queue {
    struct thread *first; // NULL if the queue is empty
    uint32_t levels; // bit n: level n has a ring; 0: `first` is the only thread, or there is none
    struct thread *last[LEVELS];
};

static inline struct thread *queue_first(const struct queue *queue) {
    return queue->first;
}

static inline void queue_join(struct queue *queue, struct thread *thread) {
    const uint32_t level = thread->level, bit = 1u << level;
    struct thread *last = queue->last[level];
    queue->last[level] = thread;
    if (queue->levels & bit) {
        thread->next = last->next;
        thread->previous = last;
        last->next->previous = thread;
        last->next = thread;
        return;
    }
    queue->levels |= bit;
    thread->next = thread->previous = thread;
    if (level < queue->first->level) {
        queue->first = thread;
    }
}

// Appends a second thread. This case is rare, so it is not inlined: a caller that appends to an
// empty queue then saves no registers. The same is true of queue_leave.
__attribute__((noinline, unused)) static void queue_append_second(struct queue *queue,
                                                                  struct thread *thread) {
    struct thread *first = queue->first;
    queue->levels = 1u << first->level;
    queue->last[first->level] = first->next = first->previous = first;
    queue_join(queue, thread);
}

static inline void queue_append(struct queue *queue, struct thread *thread) {
    if (queue->levels) {
        queue_join(queue, thread);
    } else if (queue->first) {
        queue_append_second(queue, thread);
    } else {
        queue->first = thread;
        thread->next = thread; // a ring of one, for queue_rotate
    }
}

__attribute__((noinline, unused)) static void queue_leave(struct queue *queue,
                                                          struct thread *thread) {
    struct thread *next = thread->next, *previous = thread->previous;
    if (previous == thread) {
        queue->levels &= ~(1u << thread->level);
        next = queue->levels ? queue->last[levels_lowest(queue->levels)]->next : NULL;
    } else {
        previous->next = next;
        next->previous = previous;
        if (queue->last[thread->level] == thread) {
            queue->last[thread->level] = previous;
        }
    }
    if (queue->first == thread) {
        queue->first = next;
    }
}

static inline void queue_remove(struct queue *queue, struct thread *thread) {
    if (queue->levels) {
        queue_leave(queue, thread);
    } else {
        queue->first = NULL;
    }
}

// Puts `thread`, the first of its level, after the others of the level. Returns the thread that is
// then the first of the level.
static inline struct thread *queue_rotate(struct queue *queue, struct thread *thread) {
    struct thread *next = thread->next;
    queue->last[thread->level] = thread;
    if (queue->first == thread) {
        queue->first = next;
    }
    return next;
}

#endif
