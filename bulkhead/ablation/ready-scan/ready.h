// SPDX-License-Identifier: MIT
//
// The ready queue without a bitmap: 32 levels, with a ring of threads for each. A search for the
// highest ready level starts at the top, so its time is linear in the number of empty levels above.
//
// Interface and invariants: core/ready.h. The head of an empty level is NULL. After the last level
// is the idle thread, which ends every search.
#ifndef KERNEL_READY_H
#define KERNEL_READY_H

#include <thread.h>

enum { PRIORITIES = 32 };

struct ready {
    struct thread *heads[PRIORITIES + 1];
};

static inline uint32_t priority_mask_of(uint32_t priority) {
    return priority < PRIORITIES ? 0x80000000u >> priority : 0;
}

static inline struct thread *ready_highest(const struct ready *ready) {
    struct thread *const *head = ready->heads;
    while (*head == NULL) {
        head++;
    }
    return *head;
}

static inline bool ready_has_above(const struct ready *ready, uint32_t mask) {
    return ready_highest(ready)->priority_mask > mask;
}

static inline void ready_link_last(struct thread *head, struct thread *thread) {
    thread->next = head;
    thread->previous = head->previous;
    head->previous->next = thread;
    head->previous = thread;
}

static inline void ready_unlink(struct thread *thread) {
    struct thread *next = thread->next;
    next->previous = thread->previous;
    thread->previous->next = next;
    thread->next = thread;
    thread->previous = thread;
}

// Adds `thread`, which is in no ring, after all others of its priority.
static inline void ready_add_below(struct ready *ready, struct thread *thread) {
    (void)ready;
    if (*thread->level != NULL) {
        ready_link_last(*thread->level, thread);
    } else {
        *thread->level = thread;
    }
}

// Adds `thread`, which is in no ring, after all others of its priority. Returns whether its
// priority is above that of all threads that were ready.
static inline bool ready_add(struct ready *ready, struct thread *thread) {
    if (*thread->level != NULL) {
        ready_link_last(*thread->level, thread);
        return false;
    }
    *thread->level = thread;
    struct thread *const *above = ready->heads;
    while (*above == NULL) {
        above++;
    }
    return above == thread->level;
}

// Adds `thread`, which is in no ring, before all others of its priority.
static inline void ready_add_first(struct ready *ready, struct thread *thread) {
    (void)ready;
    if (*thread->level != NULL) {
        ready_link_last(*thread->level, thread);
    }
    *thread->level = thread;
}

// Removes `thread` from its ring. The idle thread stays in the array, because every search ends at
// it.
static inline void ready_remove(struct ready *ready, struct thread *thread) {
    struct thread *next = thread->next;
    (void)ready;
    if (next == thread) {
        *thread->level = thread->priority_mask == 0 ? thread : NULL;
        return;
    }
    if (*thread->level == thread) {
        *thread->level = next;
    }
    ready_unlink(thread);
}

// Removes the head of the highest level. Returns the new head of the highest level.
static inline struct thread *ready_remove_head(struct ready *ready, struct thread *head) {
    ready_remove(ready, head);
    return ready_highest(ready);
}

#endif
