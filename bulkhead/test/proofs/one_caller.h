// SPDX-License-Identifier: MIT
//
// A stub of the kernel for proofs of an object whose calls are all made by one thread: notes the
// result of a call. No other thread waits, and a call that would wait times out.
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
