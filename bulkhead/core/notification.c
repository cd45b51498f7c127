// SPDX-License-Identifier: MIT
//
// Notifications: each thread has a counter, and only that thread waits for it.
#include "methods.h"

struct thread *thread_notify(struct thread *thread) {
    const uint32_t state = thread->state;
    if ((state & THREAD_LISTENS) == 0) {
        thread->notifications++;
        return NO_SWITCH;
    }
    if (unlikely(state != THREAD_LISTENS)) {
        return thread_wake(thread, BULKHEAD_OK);
    }
    // The thread is in no list and has no timer, and its call set its result to OK (svc.h).
    thread->state = 0;
    return thread_make_ready(thread);
}

struct thread *self_notification_wait(void *unused, struct arch_frame *frame) {
    struct thread *self = kernel.current;
    const uint32_t timeout_ticks = arch_argument(frame);
    (void)unused;
    if (self->notifications != 0) {
        self->notifications--;
        return NO_SWITCH;
    }
    if (timeout_ticks == BULKHEAD_NO_WAIT) {
        return kernel_fail(BULKHEAD_TIMED_OUT);
    }
    return thread_block(THREAD_LISTENS, timeout_ticks);
}

void kernel_interrupt_notifies(struct thread *thread) {
    if (thread_notify(thread) != NO_SWITCH) {
        kernel_request_switch();
    }
}
