// SPDX-License-Identifier: MIT
//
// The port's objects are those of one process (bulkhead/local.h).
#ifndef OBJECTS_LOCAL_H
#define OBJECTS_LOCAL_H

#include <bulkhead/local.h>

// Generated from the scenario's declaration (generate.py).
extern struct bulkhead_semaphore bulkhead_semaphores[];
extern struct bulkhead_mutex bulkhead_mutexes[];
extern struct bulkhead_queue bulkhead_queues[];
extern struct bulkhead_flags bulkhead_flags[];
extern struct bulkhead_pool bulkhead_pools[];

#define OBJECT static inline __attribute__((always_inline)) enum bulkhead_result

OBJECT object_take(uint32_t semaphore, uint32_t timeout_ticks) {
    return bulkhead_local_semaphore_take(&bulkhead_semaphores[semaphore], timeout_ticks);
}

OBJECT object_give(uint32_t semaphore) {
    return bulkhead_local_semaphore_give(&bulkhead_semaphores[semaphore]);
}

OBJECT object_lock(uint32_t mutex, uint32_t timeout_ticks) {
    return bulkhead_local_mutex_lock(&bulkhead_mutexes[mutex], timeout_ticks);
}

OBJECT object_unlock(uint32_t mutex) {
    return bulkhead_local_mutex_unlock(&bulkhead_mutexes[mutex]);
}

OBJECT object_take_all(uint32_t flags, uint32_t bits, uint32_t timeout_ticks) {
    return bulkhead_local_flags_take_all(&bulkhead_flags[flags], &bits, timeout_ticks);
}

OBJECT object_set(uint32_t flags, uint32_t bits) {
    return bulkhead_local_flags_set(&bulkhead_flags[flags], bits);
}

OBJECT object_send(uint32_t queue, const void *message, uint32_t timeout_ticks) {
    return bulkhead_queue_send(&bulkhead_queues[queue], message, timeout_ticks);
}

OBJECT object_receive(uint32_t queue, void *message, uint32_t timeout_ticks) {
    return bulkhead_queue_receive(&bulkhead_queues[queue], message, timeout_ticks);
}

OBJECT object_allocate(uint32_t pool, void **block) {
    *block = bulkhead_pool_allocate(&bulkhead_pools[pool]);
    return *block != NULL ? BULKHEAD_OK : BULKHEAD_TIMED_OUT;
}

OBJECT object_free(uint32_t pool, void *block) {
    return bulkhead_pool_free(&bulkhead_pools[pool], block);
}

#endif
