// SPDX-License-Identifier: MIT
//
// The fast paths of local.h for processors with exclusive accesses (LDREX and STREX).
//
// Each function changes one word atomically: an exception between the load and the store makes the
// store fail. The functions for semaphores, mutexes and flags then call the kernel, which changes
// the word without an interruption, so they need no loop. The functions for logs and pools, for
// which the kernel has no call, try again.
#ifndef BULKHEAD_EXCLUSIVE_H
#define BULKHEAD_EXCLUSIVE_H

#include <bulkhead/local.h>

// --- Logs ----------------------------------------------------------------------------------------

// Increments `*written`, and returns its former value. An exception between reading the ticks and
// the store makes the store fail, so a later number never has earlier ticks.
static inline uint32_t bulkhead_log_claim(volatile uint32_t *written, uint32_t *ticks) {
    uint32_t number;
    do {
        number = bulkhead_load_exclusive(written);
        *ticks = bulkhead_page.ticks;
    } while (bulkhead_store_exclusive(written, number + 1) != 0);
    return number;
}

// --- Semaphores ----------------------------------------------------------------------------------

static inline enum bulkhead_result
bulkhead_local_semaphore_take(struct bulkhead_semaphore *semaphore, uint32_t timeout_ticks) {
    volatile uint32_t *word = (volatile uint32_t *)&semaphore->count;
    const int32_t count = (int32_t)bulkhead_load_exclusive(word);
    if (count <= 0 || bulkhead_store_exclusive(word, (uint32_t)count - 1) != 0) {
        return bulkhead_local_semaphore_wait(semaphore, timeout_ticks);
    }
    return BULKHEAD_OK;
}

// A negative count is above any maximum when compared as an unsigned number, so one comparison
// finds both a full semaphore and one with waiters.
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

static inline enum bulkhead_result bulkhead_local_flags_set(struct bulkhead_flags *object,
                                                            uint32_t flags) {
    const uint32_t word = bulkhead_load_exclusive(&object->word);
    if ((word & BULKHEAD_FLAGS_WAITED) || bulkhead_store_exclusive(&object->word, word | flags)) {
        return bulkhead_kernel_flags_set(object->handle, flags);
    }
    return BULKHEAD_OK;
}

static inline enum bulkhead_result bulkhead_local_flags_clear(struct bulkhead_flags *object,
                                                              uint32_t flags) {
    const uint32_t word = bulkhead_load_exclusive(&object->word);
    if ((word & BULKHEAD_FLAGS_WAITED) || bulkhead_store_exclusive(&object->word, word & ~flags)) {
        return bulkhead_kernel_flags_clear(object->handle, flags);
    }
    return BULKHEAD_OK;
}

static inline enum bulkhead_result bulkhead_local_flags_take_any(struct bulkhead_flags *object,
                                                                 uint32_t *flags,
                                                                 uint32_t timeout_ticks) {
    const uint32_t word = bulkhead_load_exclusive(&object->word);
    if ((word & *flags) == 0 || bulkhead_store_exclusive(&object->word, word & ~*flags)) {
        return bulkhead_kernel_flags_take_any(object->handle, flags, timeout_ticks);
    }
    *flags = word & ~BULKHEAD_FLAGS_WAITED;
    return BULKHEAD_OK;
}

static inline enum bulkhead_result bulkhead_local_flags_take_all(struct bulkhead_flags *object,
                                                                 uint32_t *flags,
                                                                 uint32_t timeout_ticks) {
    const uint32_t word = bulkhead_load_exclusive(&object->word);
    if ((~word & *flags) || bulkhead_store_exclusive(&object->word, word & ~*flags)) {
        return bulkhead_kernel_flags_take_all(object->handle, flags, timeout_ticks);
    }
    *flags = word & ~BULKHEAD_FLAGS_WAITED;
    return BULKHEAD_OK;
}

// --- Block pools ---------------------------------------------------------------------------------

// Returns NULL if every block is in use. If another thread allocates a block between the load and
// the store, it has interrupted this thread, so the store fails and the link that was read is not
// used.
static inline void *bulkhead_local_pool_take(struct bulkhead_pool *pool) {
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

// Refuses an address outside the pool. Does not test whether the address is an allocated block,
// because such an error harms only the process itself.
static inline enum bulkhead_result bulkhead_local_pool_free(struct bulkhead_pool *pool,
                                                            void *address) {
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
