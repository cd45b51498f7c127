// SPDX-License-Identifier: MIT
//
// The ready queue: 32 levels, a ring of threads for each level, and a bitmap of the levels that
// have a thread.
//
// This file links threads and depends on nothing else of the kernel, so it is tested by itself.
// Every operation is constant-time.
//
// Priority 0 is the highest and has bit 31, so that counting leading zeroes finds the level, and a
// thread is above all ready threads exactly if its mask is greater than the whole bitmap. An empty
// bitmap counts 32 zeroes: level 32 has the idle thread, whose mask is 0 and which is in no ring.
//
// Invariants: the head of a level is the thread of this level that runs first. A thread outside
// every ring is linked to itself, so that it becomes the ring of an empty level without another
// store.
#ifndef KERNEL_READY_H
#define KERNEL_READY_H

#include "thread.h"

enum { PRIORITIES = 32 };

struct ready {
    uint32_t bitmap;
    struct thread *heads[PRIORITIES + 1];
};

_Static_assert(offsetof(struct ready, heads) == sizeof(void *), "highest.inc");

static inline uint32_t priority_mask_of(uint32_t priority) {
    return priority < PRIORITIES ? 0x80000000u >> priority : 0;
}

// Returns the head of the highest level; the idle thread if the bitmap is empty.
static inline struct thread *ready_highest(const struct ready *ready) {
    return ready->heads[arch_leading_zeroes(ready->bitmap)];
}

// Returns whether a thread above the priority of `mask` is ready.
static inline bool ready_has_above(const struct ready *ready, uint32_t mask) {
    return ready->bitmap / 2 >= mask;
}

static inline void ready_link_last(struct thread *head, struct thread *thread) {
    thread->next = head;
    thread->previous = head->previous;
    head->previous->next = thread;
    head->previous = thread;
}

// Adds `thread`, which is in no ring and below another ready thread, after the threads of its
// priority.
static inline void ready_add_below(struct ready *ready, struct thread *thread) {
    const uint32_t bitmap = ready->bitmap;
    if (bitmap & thread->priority_mask) {
        ready_link_last(*thread->level, thread);
    } else {
        ready->bitmap = bitmap | thread->priority_mask;
        *thread->level = thread;
    }
}

// Adds `thread`, which is in no ring, after the threads of its priority. Returns true if its
// priority is above that of all ready threads.
static inline bool ready_add(struct ready *ready, struct thread *thread) {
    const uint32_t bitmap = ready->bitmap;
    if (thread->priority_mask > bitmap) {
        ready->bitmap = bitmap | thread->priority_mask;
        arch_compiler_barrier();
        *thread->level = thread;
        return true;
    }
    ready_add_below(ready, thread);
    return false;
}

// Adds `thread`, which is in no ring, ahead of the threads of its priority.
static inline void ready_add_first(struct ready *ready, struct thread *thread) {
    if (ready->bitmap & thread->priority_mask) {
        ready_link_last(*thread->level, thread);
    }
    ready->bitmap |= thread->priority_mask;
    *thread->level = thread;
}

static inline void ready_unlink(struct thread *thread) {
    struct thread *next = thread->next;
    next->previous = thread->previous;
    thread->previous->next = next;
    thread->next = thread;
    thread->previous = thread;
}

static inline void ready_remove(struct ready *ready, struct thread *thread) {
    struct thread *next = thread->next;
    if (next == thread) {
        ready->bitmap &= ~thread->priority_mask;
        return;
    }
    if (*thread->level == thread) {
        *thread->level = next;
    }
    ready_unlink(thread);
}

// Removes the head of the highest level. Returns the new head of the highest level.
static inline struct thread *ready_remove_head(struct ready *ready, struct thread *head) {
    struct thread *next = head->next;
    if (next == head) {
        ready->bitmap &= ~head->priority_mask;
        return ready_highest(ready);
    }
    *head->level = next;
    ready_unlink(head);
    return next;
}

#endif
