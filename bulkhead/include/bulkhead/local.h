// SPDX-License-Identifier: MIT
//
// Objects of one process: semaphores, mutexes, queues and block pools that its threads use without
// entering the kernel, as long as nobody has to wait. The same services as those of bulkhead.h, and
// the same results.
//
// The objects are words in the process's own memory (the declaration places them), so a thread of
// the process may spoil them, for itself and its process alone. Who waits is in the kernel, which
// the functions enter when a word says that somebody waits or has to: the slow halves, out of line,
// are in user/local.c and user/queue.c.
//
// LDREX and STREX make the change of one word whole: an exception between them makes STREX fail,
// and then the kernel is asked, which nothing interrupts. So there is no loop.
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

static inline enum bulkhead_result
bulkhead_local_semaphore_take(struct bulkhead_semaphore *semaphore, uint32_t timeout_ticks) {
    volatile uint32_t *word = (volatile uint32_t *)&semaphore->count;
    const int32_t count = (int32_t)bulkhead_load_exclusive(word);
    if (count <= 0 || bulkhead_store_exclusive(word, (uint32_t)count - 1) != 0) {
        return bulkhead_local_semaphore_wait(semaphore, timeout_ticks);
    }
    return BULKHEAD_OK;
}

// A negative count is above any maximum, taken as unsigned: one comparison finds both.
static inline enum bulkhead_result
bulkhead_local_semaphore_give(struct bulkhead_semaphore *semaphore) {
    volatile uint32_t *word = (volatile uint32_t *)&semaphore->count;
    const uint32_t count = bulkhead_load_exclusive(word);
    if (count >= semaphore->maximum || bulkhead_store_exclusive(word, count + 1) != 0) {
        return bulkhead_local_semaphore_wake(semaphore);
    }
    return BULKHEAD_OK;
}

// --- Mutexes -------------------------------------------------------------------------------------

struct bulkhead_mutex {
    volatile uint32_t word; // words.h
    uint32_t handle;
};

enum bulkhead_result bulkhead_local_mutex_wait(const struct bulkhead_mutex *mutex,
                                               uint32_t timeout_ticks);
enum bulkhead_result bulkhead_local_mutex_wake(const struct bulkhead_mutex *mutex);

static inline enum bulkhead_result bulkhead_local_mutex_lock(struct bulkhead_mutex *mutex,
                                                             uint32_t timeout_ticks) {
    const uint32_t self = bulkhead_page.self;
    if (bulkhead_load_exclusive(&mutex->word) != BULKHEAD_MUTEX_FREE ||
        bulkhead_store_exclusive(&mutex->word, self) != 0) {
        return bulkhead_local_mutex_wait(mutex, timeout_ticks);
    }
    return BULKHEAD_OK;
}

static inline enum bulkhead_result bulkhead_local_mutex_unlock(struct bulkhead_mutex *mutex) {
    const uint32_t self = bulkhead_page.self;
    if (bulkhead_load_exclusive(&mutex->word) != self ||
        bulkhead_store_exclusive(&mutex->word, BULKHEAD_MUTEX_FREE) != 0) {
        return bulkhead_local_mutex_wake(mutex);
    }
    return BULKHEAD_OK;
}

// --- Event flags ---------------------------------------------------------------------------------

struct bulkhead_flags {
    volatile uint32_t word; // words.h
    uint32_t handle;
};

static inline enum bulkhead_result bulkhead_local_flags_set(struct bulkhead_flags *object,
                                                            uint32_t flags) {
    const uint32_t word = bulkhead_load_exclusive(&object->word);
    if ((word & BULKHEAD_FLAGS_WAITED) || bulkhead_store_exclusive(&object->word, word | flags)) {
        return bulkhead_flags_set(object->handle, flags);
    }
    return BULKHEAD_OK;
}

static inline enum bulkhead_result bulkhead_local_flags_clear(struct bulkhead_flags *object,
                                                              uint32_t flags) {
    const uint32_t word = bulkhead_load_exclusive(&object->word);
    if (bulkhead_store_exclusive(&object->word, word & ~flags)) {
        return bulkhead_flags_clear(object->handle, flags);
    }
    return BULKHEAD_OK;
}

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

static inline enum bulkhead_result bulkhead_local_flags_take_any(struct bulkhead_flags *object,
                                                                 uint32_t *flags,
                                                                 uint32_t timeout_ticks) {
    const uint32_t word = bulkhead_load_exclusive(&object->word);
    if ((word & *flags) == 0 || bulkhead_store_exclusive(&object->word, word & ~*flags)) {
        return bulkhead_flags_take_any(object->handle, flags, timeout_ticks);
    }
    *flags = word & ~BULKHEAD_FLAGS_WAITED;
    return BULKHEAD_OK;
}

static inline enum bulkhead_result bulkhead_local_flags_take_all(struct bulkhead_flags *object,
                                                                 uint32_t *flags,
                                                                 uint32_t timeout_ticks) {
    const uint32_t word = bulkhead_load_exclusive(&object->word);
    if ((~word & *flags) || bulkhead_store_exclusive(&object->word, word & ~*flags)) {
        return bulkhead_flags_take_all(object->handle, flags, timeout_ticks);
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

// NULL if every block is in use. Whoever takes a block meanwhile has interrupted: STREX fails, and
// the link that was read is not used.
static inline void *bulkhead_pool_allocate(struct bulkhead_pool *pool) {
    uint32_t block;
    uint32_t next;
    do {
        block = bulkhead_load_exclusive(&pool->free);
        if (block == 0) {
            return NULL;
        }
        next = *(volatile uint32_t *)block;
    } while (bulkhead_store_exclusive(&pool->free, next) != 0);
    return (void *)block;
}

// Refuses what is not in the pool. That it is a block, in use, is the process's own affair.
static inline enum bulkhead_result bulkhead_pool_free(struct bulkhead_pool *pool, void *address) {
    const uint32_t block = (uint32_t)address;
    uint32_t next;
    if (block - pool->start >= pool->bytes) {
        return BULKHEAD_REFUSED;
    }
    do {
        next = pool->free;
        *(volatile uint32_t *)block = next;
    } while (bulkhead_load_exclusive(&pool->free) != next ||
             bulkhead_store_exclusive(&pool->free, block) != 0);
    return BULKHEAD_OK;
}

#endif
