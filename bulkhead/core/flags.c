// SPDX-License-Identifier: MIT
//
// Event flags. Whoever sets flags wakes every thread whose condition holds then, all of them judged
// by the same flags; what they take is cleared after that.
//
// To set passes every waiter, since each may wait for something else. So it stops where an
// interrupt is pending, and the rest is for deferred.c. The set is whole nevertheless: until it is
// done the word is empty for user space, and who else asks for these flags goes on with the set
// first. Flags that are set meanwhile are judged after that.
//
// To wait enters the list of waiters (wait.h). All else is constant-time while no set is under way.
#include "deferred.h"
#include "methods.h"

// Any or all, and whether they are cleared: the bits by which the four methods that wait differ.
enum { ALL = 1, TAKES = 2 };

// Waiters that are judged between two looks for interrupts; of those that wake, one.
enum { AT_ONCE = 4 };

_Static_assert(BULKHEAD_FLAGS_WAIT_ALL == BULKHEAD_FLAGS_WAIT_ANY + ALL, "methods.h");
_Static_assert(BULKHEAD_FLAGS_TAKE_ANY == BULKHEAD_FLAGS_WAIT_ANY + TAKES, "methods.h");
_Static_assert(BULKHEAD_FLAGS_TAKE_ALL == BULKHEAD_FLAGS_WAIT_ANY + ALL + TAKES, "methods.h");

// --- Setting -------------------------------------------------------------------------------------

static void begin(struct flags *flags, uint32_t bits) {
    flags->now = (*flags->word | bits) & ~BULKHEAD_FLAGS_WAITED;
    flags->taken = 0;
    flags->more = 0;
}

// Wakes `thread`, which waits for some of the flags, if it has what it waits for.
static void consider(struct flags *flags, struct thread *thread) {
    const uint32_t wanted = thread->wanted;
    const uint32_t how = thread->how;
    if ((how & ALL) && (wanted & ~flags->now)) {
        return;
    }
    flags->taken |= how & TAKES ? wanted : 0;
    arch_give(arch_context_frame(&thread->context), flags->now);
    const decision next = thread_wake(thread, BULKHEAD_OK);
    (void)next; // the highest is looked for in the end
}

// Judges the waiters from `next`, which is one of `level`, on. Returns before whom it stopped for
// an interrupt; NULL if all are judged.
static struct thread *judge(struct flags *flags, struct thread *next, struct thread *level) {
    const uint32_t now = flags->now;
    const struct thread *last = level->previous;
    struct thread *lower = level->wait_lower;
    uint32_t left = AT_ONCE;
    for (;;) {
        struct thread *const each = next;
        next = each->next;
        if (each->wanted & now) {
            consider(flags, each);
            left = 1;
        }
        if (each == last) {
            if (lower == NULL) {
                return NULL;
            }
            next = lower;
            last = next->previous;
            lower = next->wait_lower;
        }
        if (--left == 0) {
            if (arch_interrupt_pending()) {
                return next;
            }
            left = AT_ONCE;
        }
    }
}

// Flags that were set meanwhile are another set, from its beginning.
static __attribute__((noinline)) void end_deferred(struct flags *flags) {
    if (flags->more == 0) {
        deferred_remove(flags);
    } else {
        begin(flags, flags->more);
        *flags->word = BULKHEAD_FLAGS_WAITED;
        flags->next = flags->waiters.first;
    }
}

static void end(struct flags *flags) {
    const uint32_t waited = flags->waiters.first == NULL ? 0 : BULKHEAD_FLAGS_WAITED;
    *flags->word = (flags->now & ~flags->taken) | waited;
    if (SELDOM(flags->is_deferred)) {
        end_deferred(flags);
    }
}

static __attribute__((noinline)) void put_off(struct flags *flags, struct thread *next) {
    flags->next = next;
    *flags->word = BULKHEAD_FLAGS_WAITED;
    deferred_add(flags);
}

static void go_on(struct flags *flags, struct thread *next, struct thread *level) {
    struct thread *stopped_before = next == NULL ? NULL : judge(flags, next, level);
    if (SELDOM(stopped_before != NULL)) {
        put_off(flags, stopped_before);
    } else {
        end(flags);
    }
}

// Who was next may have left since: from the first on, then. That wakes nobody who would not have
// been woken.
decision flags_go_on(struct flags *flags) {
    struct thread *next = flags->next;
    if (next != NULL && next->waits_in != &flags->waiters) {
        next = flags->waiters.first;
    }
    go_on(flags, next, next == NULL ? NULL : *wait_level(&flags->waiters, next->bit));
    return thread_highest();
}

static decision set(struct flags *flags, uint32_t bits) {
    struct thread *first = flags->waiters.first;
    if (SELDOM(flags->is_deferred)) {
        flags->more |= bits;
        return flags_go_on(flags);
    }
    begin(flags, bits);
    go_on(flags, first, first);
    struct thread *highest = ready_highest(&kernel.ready);
    return highest == kernel.current ? GO_ON : highest;
}

decision flags_set(struct flags *flags, struct arch_frame *frame) {
    return set(flags, arch_argument(frame));
}

void kernel_interrupt_sets(struct flags *flags, uint32_t bits) {
    if (set(flags, bits) != GO_ON) {
        kernel_request_switch();
    }
}

// --- Waiting and clearing ------------------------------------------------------------------------

// A set that is under way comes first; the call is made again.
static __attribute__((noinline)) decision after_set(struct flags *flags, struct arch_frame *frame) {
    arch_call_repeat(frame);
    return flags_go_on(flags);
}

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
    if (SELDOM(flags->is_deferred)) {
        return after_set(flags, frame);
    }
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

decision flags_clear(struct flags *flags, struct arch_frame *frame) {
    if (SELDOM(flags->is_deferred)) {
        return after_set(flags, frame);
    }
    *flags->word &= ~arch_argument(frame) | BULKHEAD_FLAGS_WAITED;
    return GO_ON;
}
