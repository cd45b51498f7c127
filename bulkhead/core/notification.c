// SPDX-License-Identifier: MIT
//
// Notifications: a counter of each thread, which it alone waits for.
#include "calls.h"
#include "kernel.h"

decision thread_notify(struct thread *thread) {
    if (thread->state & THREAD_LISTENS) {
        return thread_wake(thread, BULKHEAD_OK);
    }
    thread->notifications++;
    return GO_ON;
}

decision call_notify(struct arch_frame *frame, uint32_t handle) {
    struct thread *thread = RIGHT_TO(kernel.process->notifies, handle);
    if (SELDOM(thread == NULL)) {
        return kernel_refuse(BULKHEAD_DENIED);
    }
    frame->r0 = BULKHEAD_OK;
    return thread_notify(thread);
}

decision call_notification_wait(struct arch_frame *frame, uint32_t timeout_ticks) {
    struct thread *self = kernel.current;
    if (self->notifications != 0) {
        self->notifications--;
        return answer(frame, BULKHEAD_OK);
    }
    if (timeout_ticks == BULKHEAD_NO_WAIT) {
        return answer(frame, BULKHEAD_TIMED_OUT);
    }
    return thread_block(THREAD_LISTENS, timeout_ticks);
}

void kernel_interrupt_notifies(struct thread *thread) {
    if (thread_notify(thread) != GO_ON) {
        arch_switch_request();
    }
}
