// SPDX-License-Identifier: MIT
//
// The port's objects are those of one process (bulkhead/local.h).
#ifndef OBJECTS_LOCAL_H
#define OBJECTS_LOCAL_H

#include <bulkhead/local.h>

// Generated from the scenario's declaration (generate.py), which has one process.
extern struct bulkhead_semaphore local_semaphores_process_0[];
extern struct bulkhead_mutex local_mutexes_process_0[];
extern struct bulkhead_queue local_queues_process_0[];
extern struct bulkhead_flags local_flags_process_0[];
extern struct bulkhead_pool local_pools_process_0[];

#define OBJECT static inline __attribute__((always_inline)) enum bulkhead_result

OBJECT object_take(uint32_t semaphore, uint32_t timeout_ticks) {
    return bulkhead_local_semaphore_take(&local_semaphores_process_0[semaphore], timeout_ticks);
}

OBJECT object_give(uint32_t semaphore) {
    return bulkhead_local_semaphore_give(&local_semaphores_process_0[semaphore]);
}

OBJECT object_lock(uint32_t mutex, uint32_t timeout_ticks) {
    return bulkhead_local_mutex_lock(&local_mutexes_process_0[mutex], timeout_ticks);
}

OBJECT object_unlock(uint32_t mutex) {
    return bulkhead_local_mutex_unlock(&local_mutexes_process_0[mutex]);
}

OBJECT object_take_all(uint32_t flags, uint32_t bits, uint32_t timeout_ticks) {
    return bulkhead_local_flags_take_all(&local_flags_process_0[flags], &bits, timeout_ticks);
}

OBJECT object_set(uint32_t flags, uint32_t bits) {
    return bulkhead_local_flags_set(&local_flags_process_0[flags], bits);
}

OBJECT object_send(uint32_t queue, const void *message, uint32_t timeout_ticks) {
    return bulkhead_queue_send(&local_queues_process_0[queue], message, timeout_ticks);
}

OBJECT object_receive(uint32_t queue, void *message, uint32_t timeout_ticks) {
    return bulkhead_queue_receive(&local_queues_process_0[queue], message, timeout_ticks);
}

OBJECT object_allocate(uint32_t pool, void **block) {
    *block = bulkhead_pool_allocate(&local_pools_process_0[pool]);
    return *block != NULL ? BULKHEAD_OK : BULKHEAD_TIMED_OUT;
}

OBJECT object_free(uint32_t pool, void *block) {
    return bulkhead_pool_free(&local_pools_process_0[pool], block);
}

#endif
