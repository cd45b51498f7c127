// SPDX-License-Identifier: MIT
//
// The port's objects are the kernel's: each service is one system call.
#ifndef OBJECTS_KERNEL_H
#define OBJECTS_KERNEL_H

#include <bulkhead/bulkhead.h>

#define OBJECT static inline __attribute__((always_inline)) enum bulkhead_result

OBJECT object_take(uint32_t semaphore, uint32_t timeout_ticks) {
    return bulkhead_semaphore_take(SEMAPHORE_HANDLES + semaphore, timeout_ticks);
}

OBJECT object_give(uint32_t semaphore) {
    return bulkhead_semaphore_give(SEMAPHORE_HANDLES + semaphore);
}

OBJECT object_lock(uint32_t mutex, uint32_t timeout_ticks) {
    return bulkhead_mutex_lock(MUTEX_HANDLES + mutex, timeout_ticks);
}

OBJECT object_unlock(uint32_t mutex) {
    return bulkhead_mutex_unlock(MUTEX_HANDLES + mutex);
}

OBJECT object_take_all(uint32_t flags, uint32_t bits, uint32_t timeout_ticks) {
    return bulkhead_flags_take_all(FLAGS_HANDLES + flags, &bits, timeout_ticks);
}

OBJECT object_set(uint32_t flags, uint32_t bits) {
    return bulkhead_flags_set(FLAGS_HANDLES + flags, bits);
}

OBJECT object_send(uint32_t queue, const void *message, uint32_t timeout_ticks) {
    return bulkhead_kernel_queue_send(QUEUE_HANDLES + queue, message, timeout_ticks);
}

OBJECT object_receive(uint32_t queue, void *message, uint32_t timeout_ticks) {
    return bulkhead_kernel_queue_receive(QUEUE_HANDLES + queue, message, timeout_ticks);
}

OBJECT object_allocate(uint32_t pool, void **block) {
    return bulkhead_kernel_pool_allocate(POOL_HANDLES + pool, block, BULKHEAD_NO_WAIT);
}

OBJECT object_free(uint32_t pool, void *block) {
    return bulkhead_kernel_pool_free(POOL_HANDLES + pool, block);
}

#endif
