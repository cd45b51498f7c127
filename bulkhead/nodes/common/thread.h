// SPDX-License-Identifier: MIT
//
// A thread: the registers of a task, and its links in the kernel's lists.
//
// Every node has the table of all threads. A node runs its own tasks from it; for tasks of other
// nodes it keeps only the data that its scheduler needs, which is almost nothing with the
// schedulers `semi` and `rtu`.
#ifndef NODES_THREAD_H
#define NODES_THREAD_H

#include "offsets.h"
#include <bulkhead/nodes.h>
#include <stdbool.h>
#include <stddef.h>
#include <timer.h>

struct thread {
    // The registers that a call preserves, as a C function does. entry.S uses the offsets.
    uint32_t pc, ra, sp;
    uint32_t interrupted; // 1 if `a` and `t` are saved as well
    uint32_t s[12];
    uint32_t a[8]; // a[0] is the result of the call
    uint32_t t[7];
    uint32_t stack_region, data_region; // encoded for the protection unit

    // The thread's links in a queue (queue.h).
    struct thread *next, *previous;
    uint32_t level; // 31 - priority: the lowest level is the most urgent

    struct timer timer; // armed while the thread sleeps
    const struct nodes_task *declaration;
    uint8_t node;
    uint8_t index; // index in the table of all threads
    uint8_t place; // index among the tasks of its node; with `rtu`, its identifier in the unit
    uint8_t base;  // the level without inheritance
    bool inherits; // has the priority of the message that it has received

    uint8_t dormant; // 0 if it is alive or belongs to another node, and so cannot be created now
};

// The priority of a dormant thread, in the format of the address of the RTU's call.
#define DORMANT(priority) ((uint8_t)((priority) << 2))

_Static_assert(offsetof(struct thread, pc) == THREAD_PC, "offsets.h");
_Static_assert(offsetof(struct thread, ra) == THREAD_RA, "offsets.h");
_Static_assert(offsetof(struct thread, sp) == THREAD_SP, "offsets.h");
_Static_assert(offsetof(struct thread, interrupted) == THREAD_INTERRUPTED, "offsets.h");
_Static_assert(offsetof(struct thread, s) == THREAD_S, "offsets.h");
_Static_assert(offsetof(struct thread, a) == THREAD_A, "offsets.h");
_Static_assert(offsetof(struct thread, t) == THREAD_T, "offsets.h");
_Static_assert(offsetof(struct thread, stack_region) == THREAD_STACK_REGION, "offsets.h");
_Static_assert(offsetof(struct thread, data_region) == THREAD_DATA_REGION, "offsets.h");
_Static_assert(offsetof(struct thread, place) == THREAD_PLACE, "offsets.h");
_Static_assert(offsetof(struct thread, dormant) == THREAD_DORMANT, "offsets.h");
_Static_assert(THREAD_DORMANT < THREADS_ALIGNMENT, "offsets.h");
_Static_assert(sizeof(struct thread) == THREAD_BYTES, "offsets.h");

extern struct thread threads[NODES_MAX_TASKS];

static inline uint32_t thread_level(uint32_t priority) {
    return NODES_PRIORITY_HIGHEST - priority;
}

static inline bool thread_priority_is_valid(uint32_t priority) {
    return priority - NODES_PRIORITY_LOWEST <= NODES_PRIORITY_HIGHEST - NODES_PRIORITY_LOWEST;
}

// Makes the dormant thread of a task alive and returns it; NULL if there is none.
static inline struct thread *thread_create(uint32_t task) {
    if (task >= NODES_MAX_TASKS || !threads[task].dormant) {
        return NULL;
    }
    threads[task].dormant = 0;
    return &threads[task];
}

// Makes the thread dormant: when it is created, it begins at its entry with its first priority.
// This work is done when a thread ends, not when it is created, so that creation is short.
void thread_prepare(struct thread *thread);

// Returns `self`, with a result that says why `task` cannot be created.
struct thread *thread_refuse_creation(uint32_t task, struct thread *self);

#endif
