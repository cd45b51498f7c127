// SPDX-License-Identifier: MIT
//
// Counting semaphores. A count that is given while a thread waits goes to that thread; no other
// thread sees it.
#include "methods.h"

static __attribute__((noinline)) decision block(struct semaphore *semaphore,
                                                uint32_t timeout_ticks) {
    *semaphore->count = BULKHEAD_SEMAPHORE_WAITED;
    return thread_wait(&semaphore->waiters, timeout_ticks);
}

decision semaphore_take(struct semaphore *semaphore, struct arch_frame *frame) {
    const uint32_t timeout_ticks = arch_argument(frame);
    const int32_t count = *semaphore->count;
    if (count > 0) {
        *semaphore->count = count - 1;
        return GO_ON;
    }
    if (timeout_ticks == BULKHEAD_NO_WAIT) {
        return kernel_answer(BULKHEAD_TIMED_OUT);
    }
    return block(semaphore, timeout_ticks);
}

// A semaphore with waiters has a negative count, which is above any maximum as an unsigned number:
// one comparison finds both cases. A process that overwrites its own word makes only its own
// threads wait.
static inline bool count_up(struct semaphore *semaphore) {
    const uint32_t count = (uint32_t)*semaphore->count;
    if (SELDOM(count >= (uint32_t)semaphore->maximum)) {
        return false;
    }
    *semaphore->count = (int32_t)count + 1;
    return true;
}

// A negative count without a waiter remains after a timeout, or a process has written it. It counts
// as 0.
static bool count_from_trace(struct semaphore *semaphore) {
    if (*semaphore->count >= 0) {
        return false;
    }
    *semaphore->count = 1;
    return true;
}

static decision hand_over(struct semaphore *semaphore) {
    const decision next = thread_wake(semaphore->waiters.first, BULKHEAD_OK);
    *semaphore->count = semaphore->waiters.first == NULL ? 0 : BULKHEAD_SEMAPHORE_WAITED;
    return next;
}

static __attribute__((noinline)) decision give_seldom(struct semaphore *semaphore) {
    if (semaphore->waiters.first != NULL) {
        return hand_over(semaphore);
    }
    return count_from_trace(semaphore) ? GO_ON : kernel_answer(BULKHEAD_REFUSED);
}

decision semaphore_give(struct semaphore *semaphore) {
    return count_up(semaphore) ? GO_ON : give_seldom(semaphore);
}

// An interrupt has no caller to tell that the count is at its maximum.
static __attribute__((noinline)) void post_seldom(struct semaphore *semaphore) {
    if (semaphore->waiters.first == NULL) {
        count_from_trace(semaphore);
    } else if (hand_over(semaphore) != GO_ON) {
        arch_switch_request();
    }
}

void kernel_interrupt_posts(struct semaphore *semaphore) {
    if (!count_up(semaphore)) {
        post_seldom(semaphore);
    }
}
