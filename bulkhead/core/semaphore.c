// SPDX-License-Identifier: MIT
//
// Counting semaphores. A count that is given while a thread waits goes to that thread and is never
// seen by another.
#include "calls.h"
#include "objects.h"

static decision block(struct semaphore *semaphore, uint32_t timeout_ticks) {
    *semaphore->count = BULKHEAD_SEMAPHORE_WAITED;
    wait_enter(&semaphore->waiters, kernel.current);
    return thread_block(THREAD_WAITS, timeout_ticks);
}

decision call_semaphore_take(struct arch_frame *frame) {
    struct semaphore *semaphore = RIGHT_TO(kernel.process->semaphores, frame->r0);
    if (semaphore == NULL) {
        return answer(frame, BULKHEAD_DENIED);
    }
    const int32_t count = *semaphore->count;
    if (count > 0) {
        *semaphore->count = count - 1;
        return answer(frame, BULKHEAD_OK);
    }
    if (frame->r1 == BULKHEAD_NO_WAIT) {
        return answer(frame, BULKHEAD_TIMED_OUT);
    }
    return block(semaphore, frame->r1);
}

static decision hand_over(struct semaphore *semaphore, struct thread *waiter) {
    const decision next = thread_wake(waiter, BULKHEAD_OK);
    *semaphore->count = semaphore->waiters.first == NULL ? 0 : BULKHEAD_SEMAPHORE_WAITED;
    return next;
}

// A negative count without a waiter is a timeout's trace, or a process's own doing: it counts as 0.
static bool count_up(struct semaphore *semaphore) {
    const int32_t count = *semaphore->count;
    if (count >= semaphore->maximum) {
        return false;
    }
    *semaphore->count = (count < 0 ? 0 : count) + 1;
    return true;
}

decision call_semaphore_give(struct arch_frame *frame) {
    struct semaphore *semaphore = RIGHT_TO(kernel.process->semaphores, frame->r0);
    if (semaphore == NULL) {
        return answer(frame, BULKHEAD_DENIED);
    }
    if (semaphore->waiters.first != NULL) {
        frame->r0 = BULKHEAD_OK;
        return hand_over(semaphore, semaphore->waiters.first);
    }
    return answer(frame, count_up(semaphore) ? BULKHEAD_OK : BULKHEAD_REFUSED);
}

// At the maximum there is nothing to tell and nobody to be told.
void kernel_interrupt_posts(struct semaphore *semaphore) {
    if (semaphore->waiters.first == NULL) {
        count_up(semaphore);
    } else if (hand_over(semaphore, semaphore->waiters.first) != GO_ON) {
        arch_switch_request();
    }
}
