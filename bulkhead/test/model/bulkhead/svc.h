// SPDX-License-Identifier: MIT
//
// How a thread of the model makes system calls and accesses shared words. Every access that another
// thread can see is a function of world.c, so that an interrupt may come before the access.
#ifndef BULKHEAD_SVC_H
#define BULKHEAD_SVC_H

#include <bulkhead/methods.h>
#include <bulkhead/result.h>
#include <stdint.h>

#define BULKHEAD_INLINE static inline __attribute__((always_inline))

// Makes a system call. `value` points to the argument and receives the returned value; NULL for
// none.
enum bulkhead_result world_call(uint32_t handle, uint32_t method, uint32_t *value, uint32_t second);

BULKHEAD_INLINE void bulkhead_call_self(uint32_t method) {
    world_call(BULKHEAD_SELF, method, 0, 0);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_call(uint32_t handle, uint32_t method) {
    return world_call(handle, method, 0, 0);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_call_1(uint32_t handle, uint32_t method,
                                                     uint32_t argument) {
    return world_call(handle, method, &argument, 0);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_call_2(uint32_t handle, uint32_t method,
                                                     uint32_t argument, uint32_t second) {
    return world_call(handle, method, &argument, second);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_exchange_1(uint32_t handle, uint32_t method,
                                                         uint32_t *value) {
    return world_call(handle, method, value, 0);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_exchange_2(uint32_t handle, uint32_t method,
                                                         uint32_t *value, uint32_t second) {
    return world_call(handle, method, value, second);
}

// Make a call with four words, which the words of the answer replace. The first function passes
// only the words; the others also pass one or two further arguments.
enum bulkhead_result bulkhead_exchange_words(uint32_t handle, uint32_t method, uint32_t words[4],
                                             uint32_t *value);
enum bulkhead_result bulkhead_exchange_words_1(uint32_t handle, uint32_t method, uint32_t words[4],
                                               uint32_t *value);
enum bulkhead_result bulkhead_exchange_words_2(uint32_t handle, uint32_t method, uint32_t words[4],
                                               uint32_t *value, uint32_t second);

uint32_t bulkhead_load_exclusive(volatile uint32_t *word);
uint32_t bulkhead_store_exclusive(volatile uint32_t *word, uint32_t value);

#endif
