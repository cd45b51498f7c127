// SPDX-License-Identifier: MIT
//
// Counting semaphores. A count that is given while a thread waits goes to that thread; no other
// thread sees it.
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

// A semaphore with waiters has a negative count, which is above any maximum as an unsigned number:
// one comparison finds both cases. A process that overwrites its own word makes only its own
// threads wait.
static inline bool count_up(struct semaphore *semaphore) {
    const uint32_t count = (uint32_t)*semaphore->count;
    if (unlikely(count >= (uint32_t)semaphore->maximum)) {
        return false;
    }
    *semaphore->count = (int32_t)count + 1;
    return true;
}

// A negative count without a waiter remains after a timeout, or a process has written it. It counts
// as 0.
static bool reset_stale_count(struct semaphore *semaphore) {
    if (*semaphore->count >= 0) {
        return false;
    }
    *semaphore->count = 1;
    return true;
}

static struct thread *hand_over(struct semaphore *semaphore) {
    if (wait_is_only(semaphore->waiters.first)) {
        *semaphore->count = 0;
    }
    return thread_wake_first(&semaphore->waiters);
}

static __attribute__((noinline)) struct thread *give_slow_path(struct semaphore *semaphore) {
    if (semaphore->waiters.first != NULL) {
        return hand_over(semaphore);
    }
    return reset_stale_count(semaphore) ? NO_SWITCH : kernel_fail(BULKHEAD_REFUSED);
}

struct thread *semaphore_give(struct semaphore *semaphore) {
    return count_up(semaphore) ? NO_SWITCH : give_slow_path(semaphore);
}

// An interrupt has no caller to tell that the count is at its maximum.
static __attribute__((noinline)) void post_slow_path(struct semaphore *semaphore) {
    if (semaphore->waiters.first == NULL) {
        reset_stale_count(semaphore);
    } else if (hand_over(semaphore) != NO_SWITCH) {
        arch_switch_request();
    }
}

void kernel_interrupt_posts(struct semaphore *semaphore) {
    if (!count_up(semaphore)) {
        post_slow_path(semaphore);
    }
}
