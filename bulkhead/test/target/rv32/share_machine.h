// SPDX-License-Identifier: MIT
//
// RV32 part of share.c, the test of memory that one process writes and another only reads. The
// kernel stores nothing on a thread's stack, and the core has no exclusive accesses, so less is
// tested here.
#ifndef SHARE_MACHINE_H
#define SHARE_MACHINE_H

#include <bulkhead/bulkhead.h>

// Makes a system call that may change `*value`. Returns the result of the call.
static inline uint32_t wait_on(uint32_t *top, uint32_t handle, uint32_t method, uint32_t *value) {
    (void)top;
    return bulkhead_exchange_2(handle, method, value, BULKHEAD_FOREVER);
}

static inline void write_exclusive(volatile uint32_t *word) {
    *word = 1;
}

#endif
