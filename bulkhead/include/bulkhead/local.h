// SPDX-License-Identifier: MIT
//
// Objects of one process: semaphores, mutexes, event flags, queues and block pools that the threads
// of the process use without a system call while no thread has to wait. Applications use the calls
// of bulkhead.h, which select the functions bulkhead_local_* for the address of such an object.
//
// The objects are words in the memory of the process. A thread that overwrites them harms only its
// own process: the lists of waiters are in the kernel. The functions call the kernel when a word
// says that a thread waits or has to wait (user/local.c, user/queue.c). The fast paths are in
// local_words.h, because each architecture changes a word atomically in its own way.
#ifndef BULKHEAD_LOCAL_H
#define BULKHEAD_LOCAL_H

#include <bulkhead/bulkhead.h>
#include <bulkhead/svc.h>
#include <bulkhead/words.h>
#include <stddef.h>
#include <stdint.h>

// --- Semaphores ----------------------------------------------------------------------------------

struct bulkhead_semaphore {
    volatile int32_t count; // the format is in words.h
    uint16_t maximum, handle;
};

enum bulkhead_result bulkhead_local_semaphore_wait(const struct bulkhead_semaphore *semaphore,
                                                   uint32_t timeout_ticks);
enum bulkhead_result bulkhead_local_semaphore_wake(const struct bulkhead_semaphore *semaphore);

// --- Mutexes -------------------------------------------------------------------------------------

struct bulkhead_mutex {
    volatile uint32_t word; // the format is in words.h
    uint32_t handle;
};

enum bulkhead_result bulkhead_local_mutex_wait(const struct bulkhead_mutex *mutex,
                                               uint32_t timeout_ticks);
enum bulkhead_result bulkhead_local_mutex_wake(const struct bulkhead_mutex *mutex);

// --- Event flags ---------------------------------------------------------------------------------

struct bulkhead_flags {
    volatile uint32_t word; // the format is in words.h
    uint32_t handle;
};

BULKHEAD_MUST_USE static inline enum bulkhead_result
bulkhead_local_flags_wait_any(struct bulkhead_flags *object, uint32_t *flags,
                              uint32_t timeout_ticks) {
    const uint32_t word = object->word;
    if ((word & *flags) == 0) {
        return bulkhead_kernel_flags_wait_any(object->handle, flags, timeout_ticks);
    }
    *flags = word & ~BULKHEAD_FLAGS_WAITED;
    return BULKHEAD_OK;
}

BULKHEAD_MUST_USE static inline enum bulkhead_result
bulkhead_local_flags_wait_all(struct bulkhead_flags *object, uint32_t *flags,
                              uint32_t timeout_ticks) {
    const uint32_t word = object->word;
    if (~word & *flags) {
        return bulkhead_kernel_flags_wait_all(object->handle, flags, timeout_ticks);
    }
    *flags = word & ~BULKHEAD_FLAGS_WAITED;
    return BULKHEAD_OK;
}

// --- Queues: sequences.S -------------------------------------------------------------------------

struct bulkhead_queue {
    volatile uint32_t head, tail; // numbers of messages received and sent; they wrap
    uint32_t capacity;
    uint32_t mask;          // capacity of the buffer in messages, a power of two, minus 1
    uint32_t message_bytes; // a multiple of 4
    uint32_t *buffer;
    volatile uint32_t waited; // the handle of the queue if a thread waits, otherwise 0
    uint32_t handle;
};

BULKHEAD_MUST_USE enum bulkhead_result bulkhead_local_queue_send(struct bulkhead_queue *queue,
                                                                 const void *message,
                                                                 uint32_t timeout_ticks);
BULKHEAD_MUST_USE enum bulkhead_result
bulkhead_local_queue_receive(struct bulkhead_queue *queue, void *message, uint32_t timeout_ticks);

// --- Block pools ---------------------------------------------------------------------------------

// A pool. The first word of a free block is the address of the next free block. No call waits.
struct bulkhead_pool {
    volatile uint32_t free; // address of the first free block; 0 if there is none
    uint32_t start, bytes;  // memory of all blocks
};

#include <bulkhead/local_words.h>

// Marks functions of local_words.h whose results the caller has to use.
BULKHEAD_MUST_USE enum bulkhead_result
bulkhead_local_semaphore_take(struct bulkhead_semaphore *semaphore, uint32_t timeout_ticks);
BULKHEAD_MUST_USE enum bulkhead_result bulkhead_local_mutex_lock(struct bulkhead_mutex *mutex,
                                                                 uint32_t timeout_ticks);
BULKHEAD_MUST_USE enum bulkhead_result bulkhead_local_flags_take_any(struct bulkhead_flags *object,
                                                                     uint32_t *flags,
                                                                     uint32_t timeout_ticks);
BULKHEAD_MUST_USE enum bulkhead_result bulkhead_local_flags_take_all(struct bulkhead_flags *object,
                                                                     uint32_t *flags,
                                                                     uint32_t timeout_ticks);

BULKHEAD_MUST_USE static inline enum bulkhead_result
bulkhead_local_pool_allocate(struct bulkhead_pool *pool, void **block, uint32_t timeout_ticks) {
    (void)timeout_ticks;
    *block = bulkhead_local_pool_take(pool);
    return *block == NULL ? BULKHEAD_TIMED_OUT : BULKHEAD_OK;
}

#endif
