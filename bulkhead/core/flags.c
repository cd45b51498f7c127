// SPDX-License-Identifier: MIT
//
// Event flags. Whoever sets flags wakes every thread whose condition holds then, all of them judged
// by the same flags; what they take is cleared after that.
//
// To set passes every waiter, since each may wait for something else. All else is constant-time.
#include "methods.h"

// Any or all, and whether they are cleared: the bits by which the four methods that wait differ.
enum { ALL = 1, TAKES = 2 };

_Static_assert(BULKHEAD_FLAGS_WAIT_ALL == BULKHEAD_FLAGS_WAIT_ANY + ALL, "methods.h");
_Static_assert(BULKHEAD_FLAGS_TAKE_ANY == BULKHEAD_FLAGS_WAIT_ANY + TAKES, "methods.h");
_Static_assert(BULKHEAD_FLAGS_TAKE_ALL == BULKHEAD_FLAGS_WAIT_ANY + ALL + TAKES, "methods.h");

static bool holds(uint32_t flags, uint32_t wanted, uint32_t how) {
    const uint32_t found = flags & wanted;
    return how & ALL ? found == wanted : found != 0;
}

static decision block(struct flags *flags, uint32_t wanted, uint32_t how, uint32_t timeout_ticks) {
    kernel.current->wanted = wanted;
    kernel.current->how = how;
    *flags->word |= BULKHEAD_FLAGS_WAITED;
    return thread_wait(&flags->waiters, timeout_ticks);
}

// How is the number of the method that was called.
decision flags_wait(struct flags *flags, struct arch_frame *frame) {
    const uint32_t how = arch_method(frame) % BULKHEAD_METHODS - BULKHEAD_FLAGS_WAIT_ANY;
    const uint32_t wanted = arch_argument(frame) & ~BULKHEAD_FLAGS_WAITED;
    const uint32_t timeout_ticks = arch_second_argument(frame);
    const uint32_t now = *flags->word;
    if (holds(now, wanted, how)) {
        *flags->word = how & TAKES ? now & ~wanted : now;
        arch_give(frame, now & ~BULKHEAD_FLAGS_WAITED);
        return GO_ON;
    }
    if (timeout_ticks == BULKHEAD_NO_WAIT) {
        return kernel_answer(BULKHEAD_TIMED_OUT);
    }
    return block(flags, wanted, how, timeout_ticks);
}

// Wakes `thread` if its condition holds. Returns the flags that it takes.
static uint32_t wake(struct thread *thread, uint32_t now, decision *woken) {
    const uint32_t wanted = thread->wanted;
    const uint32_t how = thread->how;
    if (!holds(now, wanted, how)) {
        return 0;
    }
    arch_give(arch_context_frame(&thread->context), now);
    const decision next = thread_wake(thread, BULKHEAD_OK);
    *woken = next == GO_ON ? *woken : next;
    return how & TAKES ? wanted : 0;
}

// All waiters of one priority, beginning with `first`. A woken one leaves the ring.
static uint32_t wake_level(struct thread *first, uint32_t now, decision *woken) {
    const struct thread *const last = first->previous;
    struct thread *next = first;
    const struct thread *each;
    uint32_t taken = 0;
    do {
        struct thread *waiter = next;
        each = waiter;
        next = waiter->next;
        taken |= wake(waiter, now, woken);
    } while (each != last);
    return taken;
}

static decision set(struct flags *flags, uint32_t bits) {
    const uint32_t now = (*flags->word | bits) & ~BULKHEAD_FLAGS_WAITED;
    decision woken = GO_ON;
    uint32_t taken = 0;
    for (struct thread *level = flags->waiters.first, *lower; level != NULL; level = lower) {
        lower = level->wait_lower;
        taken |= wake_level(level, now, &woken);
    }
    *flags->word = (now & ~taken) | (flags->waiters.first == NULL ? 0 : BULKHEAD_FLAGS_WAITED);
    return woken;
}

decision flags_set(struct flags *flags, struct arch_frame *frame) {
    return set(flags, arch_argument(frame));
}

decision flags_clear(struct flags *flags, struct arch_frame *frame) {
    *flags->word &= ~arch_argument(frame) | BULKHEAD_FLAGS_WAITED;
    return GO_ON;
}

void kernel_interrupt_sets(struct flags *flags, uint32_t bits) {
    if (set(flags, bits) != GO_ON) {
        arch_switch_request();
    }
}
