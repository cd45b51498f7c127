// SPDX-License-Identifier: MIT
//
// RV32 part of the test of shares. The kernel puts nothing on a thread's stack, and the core has no
// exclusive accesses.
#ifndef SHARE_MACHINE_H
#define SHARE_MACHINE_H

#include <bulkhead/bulkhead.h>

// Makes a call that changes `*value`. Returns its result.
static inline uint32_t wait_on(uint32_t *top, uint32_t handle, uint32_t method, uint32_t *value) {
    (void)top;
    return bulkhead_exchange_2(handle, method, value, BULKHEAD_FOREVER);
}

static inline void write_exclusive(volatile uint32_t *word) {
    *word = 1;
}

#endif
