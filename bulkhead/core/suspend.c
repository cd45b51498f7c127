// SPDX-License-Identifier: MIT
//
// Suspending and resuming threads. A thread may be suspended and wait for something at the same
// time.
#include "methods.h"

void kernel_interrupt_resumes(struct thread *thread) {
    if (unlikely(thread->state != THREAD_SUSPENDED)) {
        thread->state &= ~THREAD_SUSPENDED;
        return;
    }
    thread->state = 0;
    if (ready_add(&kernel.ready, thread)) {
        arch_switch_request();
    }
}

struct thread *thread_resume_waiting(struct thread *thread) {
    if (!(thread->state & THREAD_SUSPENDED)) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    thread->state &= ~THREAD_SUSPENDED;
    return NO_SWITCH;
}

struct thread *thread_resume(struct thread *thread) {
    if (unlikely(thread->state != THREAD_SUSPENDED)) {
        return thread_resume_waiting(thread);
    }
    thread->state = 0;
    return thread_make_ready(thread);
}

struct thread *thread_suspend_other(struct thread *thread) {
    if (thread->state & THREAD_DORMANT) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    const bool was_ready = thread->state == 0;
    thread->state |= THREAD_SUSPENDED;
    if (was_ready) {
        ready_remove(&kernel.ready, thread);
        queue_cancel_wait(thread->retries);
    }
    return thread_highest();
}

struct thread *thread_suspend(struct thread *thread) {
    if (unlikely(thread != kernel.current)) {
        return thread_suspend_other(thread);
    }
    thread->state = THREAD_SUSPENDED;
    return ready_remove_head(&kernel.ready, thread);
}
