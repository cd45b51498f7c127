// SPDX-License-Identifier: MIT
//
// The master's services: what a call does to the queues of all nodes, whoever makes it. Arguments
// were checked by the caller's node. For master.c alone, which serves requests and its own tasks by
// them.
#ifndef NODES_SERVICES_H
#define NODES_SERVICES_H

#include "queue.h"
#include "scheduler.h"
#include "sleep.h"
#include "words.h"

// The ready threads of each node.
static struct queue ready[NODES_MAX];

static struct {
    uint32_t count;
    struct queue waiting;
} semaphores[NODES_SEMAPHORES];

// Readies a thread, and tells its node, unless that is `answered` anyway or the master itself.
static void wake(struct thread *thread, uint32_t answered);

// Lets the master's timer go off when the next thread is due.
static void set_timer(void);

static inline enum nodes_result serve_yield(struct thread *caller, uint32_t argument) {
    (void)argument;
    queue_rotate(&ready[caller->node], caller);
    return NODES_OK;
}

// Whether the caller goes on.
static inline bool take_or_wait(struct thread *caller, uint32_t semaphore) {
    if (semaphores[semaphore].count) {
        semaphores[semaphore].count--;
        return true;
    }
    queue_remove(&ready[caller->node], caller);
    queue_append(&semaphores[semaphore].waiting, caller);
    return false;
}

static inline enum nodes_result serve_take(struct thread *caller, uint32_t semaphore) {
    take_or_wait(caller, semaphore);
    return NODES_OK;
}

static inline enum nodes_result serve_give(struct thread *caller, uint32_t semaphore) {
    struct thread *first = queue_first(&semaphores[semaphore].waiting);
    if (first) {
        queue_remove(&semaphores[semaphore].waiting, first);
        wake(first, caller->node);
        return NODES_OK;
    }
    if (semaphores[semaphore].count == NODES_COUNT_MAX) {
        return NODES_FULL;
    }
    semaphores[semaphore].count++;
    return NODES_OK;
}

static inline enum nodes_result serve_delay(struct thread *caller, uint32_t ticks) {
    const enum nodes_result result = sleep_begin(caller, ticks);
    if (result == NODES_OK) {
        queue_remove(&ready[caller->node], caller);
        set_timer();
    }
    return result;
}

static inline enum nodes_result serve_create(struct thread *caller, uint32_t task) {
    threads[task].level = thread_level(threads[task].declaration->priority);
    wake(&threads[task], caller->node);
    return NODES_OK;
}

static inline enum nodes_result serve_exit(struct thread *caller, uint32_t argument) {
    (void)argument;
    queue_remove(&ready[caller->node], caller);
    return NODES_OK;
}

static inline enum nodes_result serve_priority(struct thread *caller, uint32_t priority) {
    queue_remove(&ready[caller->node], caller);
    caller->level = thread_level(priority);
    queue_append(&ready[caller->node], caller);
    return NODES_OK;
}

static inline enum nodes_result serve_init(struct thread *caller, uint32_t pair) {
    (void)caller;
    if (queue_first(&semaphores[PAIR_ONE(pair)].waiting)) {
        return NODES_BUSY;
    }
    semaphores[PAIR_ONE(pair)].count = PAIR_TWO(pair);
    return NODES_OK;
}

#endif
