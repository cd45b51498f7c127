// SPDX-License-Identifier: MIT
//
// Notifications: a counter of each thread, which it alone waits for.
#include "methods.h"

decision thread_notify(struct thread *thread) {
    if (thread->state & THREAD_LISTENS) {
        return thread_wake(thread, BULKHEAD_OK);
    }
    thread->notifications++;
    return GO_ON;
}

decision self_notification_wait(void *unused, struct arch_frame *frame) {
    struct thread *self = kernel.current;
    const uint32_t timeout_ticks = arch_argument(frame);
    (void)unused;
    if (self->notifications != 0) {
        self->notifications--;
        return GO_ON;
    }
    if (timeout_ticks == BULKHEAD_NO_WAIT) {
        return kernel_answer(BULKHEAD_TIMED_OUT);
    }
    return thread_block(THREAD_LISTENS, timeout_ticks);
}

void kernel_interrupt_notifies(struct thread *thread) {
    if (thread_notify(thread) != GO_ON) {
        arch_switch_request();
    }
}
