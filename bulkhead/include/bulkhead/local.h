// SPDX-License-Identifier: MIT
//
// Objects of one process: semaphores, mutexes, event flags, queues and block pools that its threads
// use without entering the kernel, as long as nobody has to wait. The same services as those of
// bulkhead.h, and the same results.
//
// The objects are words in the process's own memory (the declaration places them), so a thread of
// the process may spoil them, for itself and its process alone. Who waits is in the kernel, which
// the functions enter when a word says that somebody waits or has to: the slow halves, out of line,
// are in user/local.c and user/queue.c.
//
// The fast halves are in local_words.h, which is the architecture's: how a word is changed as a
// whole depends on it.
#ifndef BULKHEAD_LOCAL_H
#define BULKHEAD_LOCAL_H

#include <bulkhead/bulkhead.h>
#include <bulkhead/svc.h>
#include <bulkhead/words.h>
#include <stddef.h>
#include <stdint.h>

// --- Semaphores ----------------------------------------------------------------------------------

struct bulkhead_semaphore {
    volatile int32_t count; // words.h
    uint16_t maximum, handle;
};

enum bulkhead_result bulkhead_local_semaphore_wait(const struct bulkhead_semaphore *semaphore,
                                                   uint32_t timeout_ticks);
enum bulkhead_result bulkhead_local_semaphore_wake(const struct bulkhead_semaphore *semaphore);

// --- Mutexes -------------------------------------------------------------------------------------

struct bulkhead_mutex {
    volatile uint32_t word; // words.h
    uint32_t handle;
};

enum bulkhead_result bulkhead_local_mutex_wait(const struct bulkhead_mutex *mutex,
                                               uint32_t timeout_ticks);
enum bulkhead_result bulkhead_local_mutex_wake(const struct bulkhead_mutex *mutex);

// --- Event flags ---------------------------------------------------------------------------------

struct bulkhead_flags {
    volatile uint32_t word; // words.h
    uint32_t handle;
};

static inline enum bulkhead_result bulkhead_local_flags_wait_any(struct bulkhead_flags *object,
                                                                 uint32_t *flags,
                                                                 uint32_t timeout_ticks) {
    const uint32_t word = object->word;
    if ((word & *flags) == 0) {
        return bulkhead_flags_wait_any(object->handle, flags, timeout_ticks);
    }
    *flags = word & ~BULKHEAD_FLAGS_WAITED;
    return BULKHEAD_OK;
}

static inline enum bulkhead_result bulkhead_local_flags_wait_all(struct bulkhead_flags *object,
                                                                 uint32_t *flags,
                                                                 uint32_t timeout_ticks) {
    const uint32_t word = object->word;
    if (~word & *flags) {
        return bulkhead_flags_wait_all(object->handle, flags, timeout_ticks);
    }
    *flags = word & ~BULKHEAD_FLAGS_WAITED;
    return BULKHEAD_OK;
}

// --- Queues: sequences.S -------------------------------------------------------------------------

struct bulkhead_queue {
    volatile uint32_t head, tail; // messages received and sent, since the start; they wrap
    uint32_t capacity;
    uint32_t mask;          // places in the buffer, a power of two, less one
    uint32_t message_bytes; // a multiple of 4
    uint32_t *buffer;
    volatile uint32_t waited; // the handle if somebody waits, else 0
    uint32_t handle;
};

enum bulkhead_result bulkhead_queue_send(struct bulkhead_queue *queue, const void *message,
                                         uint32_t timeout_ticks);
enum bulkhead_result bulkhead_queue_receive(struct bulkhead_queue *queue, void *message,
                                            uint32_t timeout_ticks);

// --- Block pools ---------------------------------------------------------------------------------

// Free blocks are linked through their first words. Never waits.
struct bulkhead_pool {
    volatile uint32_t free; // address of the first free block; 0 if there is none
    uint32_t start, bytes;  // all blocks
};

#include <bulkhead/local_words.h>

#endif
