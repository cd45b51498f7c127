// SPDX-License-Identifier: MIT
//
// See services.h.
#include "services.h"
#include "sleep.h"
#include "words.h"

struct queue ready[NODES_MAX];

static struct {
    uint32_t count;
    struct queue waiting;
} semaphores[NODES_SEMAPHORES];

static uint32_t woken; // nodes

static void wake(struct thread *thread) {
    queue_append(&ready[thread->node], thread);
    woken |= 1u << thread->node;
}

uint32_t service_woken(void) {
    const uint32_t nodes = woken;
    woken = 0;
    return nodes;
}

enum nodes_result service_yield(struct thread *caller, uint32_t argument) {
    (void)argument;
    queue_rotate(&ready[caller->node], caller);
    return NODES_OK;
}

enum nodes_result service_take(struct thread *caller, uint32_t semaphore) {
    if (semaphores[semaphore].count) {
        semaphores[semaphore].count--;
    } else {
        queue_remove(&ready[caller->node], caller);
        queue_append(&semaphores[semaphore].waiting, caller);
    }
    return NODES_OK;
}

enum nodes_result service_give(struct thread *caller, uint32_t semaphore) {
    (void)caller;
    struct thread *first = queue_first(&semaphores[semaphore].waiting);
    if (first) {
        queue_remove(&semaphores[semaphore].waiting, first);
        wake(first);
        return NODES_OK;
    }
    if (semaphores[semaphore].count == NODES_COUNT_MAX) {
        return NODES_FULL;
    }
    semaphores[semaphore].count++;
    return NODES_OK;
}

enum nodes_result service_delay(struct thread *caller, uint32_t ticks) {
    const enum nodes_result result = sleep_begin(caller, ticks);
    if (result == NODES_OK) {
        queue_remove(&ready[caller->node], caller);
    }
    return result;
}

void service_wake_due(void) {
    for (struct thread *due = sleep_next_due(); due; due = sleep_next_due()) {
        wake(due);
    }
}

enum nodes_result service_create(struct thread *caller, uint32_t task) {
    (void)caller;
    threads[task].level = thread_level(threads[task].declaration->priority);
    wake(&threads[task]);
    return NODES_OK;
}

enum nodes_result service_exit(struct thread *caller, uint32_t argument) {
    (void)argument;
    queue_remove(&ready[caller->node], caller);
    return NODES_OK;
}

enum nodes_result service_priority(struct thread *caller, uint32_t priority) {
    queue_remove(&ready[caller->node], caller);
    caller->level = thread_level(priority);
    wake(caller);
    return NODES_OK;
}

enum nodes_result service_init(struct thread *caller, uint32_t pair) {
    (void)caller;
    if (queue_first(&semaphores[PAIR_ONE(pair)].waiting)) {
        return NODES_BUSY;
    }
    semaphores[PAIR_ONE(pair)].count = PAIR_TWO(pair);
    return NODES_OK;
}
