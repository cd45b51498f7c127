// SPDX-License-Identifier: MIT
//
// The fast paths of local.h on RV32: functions of a few instructions, which start again if they are
// interrupted (sequences.S).
#ifndef BULKHEAD_LOCAL_WORDS_H
#define BULKHEAD_LOCAL_WORDS_H

#include <bulkhead/local.h>

enum bulkhead_result bulkhead_local_semaphore_take(struct bulkhead_semaphore *semaphore,
                                                   uint32_t timeout_ticks);
enum bulkhead_result bulkhead_local_semaphore_give(struct bulkhead_semaphore *semaphore);

enum bulkhead_result bulkhead_local_mutex_lock(struct bulkhead_mutex *mutex,
                                               uint32_t timeout_ticks);
enum bulkhead_result bulkhead_local_mutex_unlock(struct bulkhead_mutex *mutex);

enum bulkhead_result bulkhead_local_flags_set(struct bulkhead_flags *object, uint32_t flags);
enum bulkhead_result bulkhead_local_flags_clear(struct bulkhead_flags *object, uint32_t flags);
enum bulkhead_result bulkhead_local_flags_take_any(struct bulkhead_flags *object, uint32_t *flags,
                                                   uint32_t timeout_ticks);
enum bulkhead_result bulkhead_local_flags_take_all(struct bulkhead_flags *object, uint32_t *flags,
                                                   uint32_t timeout_ticks);

// In a system that declares a log: increments `*written`, and returns its former value. Reads the
// ticks in the same step, so a later number never has earlier ticks.
uint32_t bulkhead_log_claim(volatile uint32_t *written, uint32_t *ticks);

void *bulkhead_local_pool_take(struct bulkhead_pool *pool);
enum bulkhead_result bulkhead_local_pool_free(struct bulkhead_pool *pool, void *address);

#endif
