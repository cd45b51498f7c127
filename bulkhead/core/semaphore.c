// SPDX-License-Identifier: MIT
//
// Counting semaphores. If a semaphore is given while a thread waits, the count goes to that thread,
// and no other thread can take it.
#include "methods.h"

static __attribute__((noinline)) struct thread *block(struct semaphore *semaphore,
                                                      uint32_t timeout_ticks) {
    *semaphore->count = BULKHEAD_SEMAPHORE_WAITED;
    return thread_wait(&semaphore->waiters, timeout_ticks);
}

struct thread *semaphore_take(struct semaphore *semaphore, struct arch_frame *frame) {
    const uint32_t timeout_ticks = arch_argument(frame);
    const int32_t count = *semaphore->count;
    if (count > 0) {
        *semaphore->count = count - 1;
        return NO_SWITCH;
    }
    if (timeout_ticks == BULKHEAD_NO_WAIT) {
        return kernel_fail(BULKHEAD_TIMED_OUT);
    }
    return block(semaphore, timeout_ticks);
}

// Adds one to the count, unless the count is at its maximum. A negative count counts as 0 if no
// thread waits: a timeout can leave such a count, and a process may write one.
static bool count_up(struct semaphore *semaphore) {
    const int32_t count = *semaphore->count;
    if (count >= semaphore->maximum) {
        return false;
    }
    *semaphore->count = count < 0 ? 1 : count + 1;
    return true;
}

static struct thread *hand_over(struct semaphore *semaphore) {
    if (wait_is_only(semaphore->waiters.first)) {
        *semaphore->count = 0;
    }
    return thread_wake_first(&semaphore->waiters);
}

// Gives the semaphore. The list of waiters decides whether a thread waits, because a process may
// overwrite its own word.
struct thread *semaphore_give(struct semaphore *semaphore) {
    if (semaphore->waiters.first != NULL) {
        return hand_over(semaphore);
    }
    return count_up(semaphore) ? NO_SWITCH : kernel_fail(BULKHEAD_REFUSED);
}

// Gives the semaphore from an interrupt. Does nothing if the count is at its maximum, because there
// is no caller to return REFUSED to.
void kernel_interrupt_posts(struct semaphore *semaphore) {
    if (semaphore->waiters.first == NULL) {
        (void)count_up(semaphore);
    } else if (hand_over(semaphore) != NO_SWITCH) {
        arch_switch_request();
    }
}
