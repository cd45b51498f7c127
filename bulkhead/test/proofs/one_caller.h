// SPDX-License-Identifier: MIT
//
// Stubs of the kernel for proofs in which one thread makes all calls of an object. They record the
// result of each call. No other thread waits, and a call that would have to wait times out.
#ifndef ONE_CALLER_H
#define ONE_CALLER_H

#include "proof.h"
#include <kernel.h>

static enum bulkhead_result result;

struct thread *kernel_fail(enum bulkhead_result failure) {
    result = failure;
    return NO_SWITCH;
}

struct thread *thread_wait_if_any(struct wait_list *list, uint32_t timeout_ticks) {
    (void)list, (void)timeout_ticks;
    result = BULKHEAD_TIMED_OUT;
    return NO_SWITCH;
}

#endif
