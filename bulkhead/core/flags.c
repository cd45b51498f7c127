// SPDX-License-Identifier: MIT
//
// Event flags. A call that sets flags, here called a set, wakes every thread whose condition holds
// at that time. All waiters are tested with the same flags, and then the flags that they take are
// cleared.
//
// A set tests every waiter, because each may wait for other flags. So it stops when an interrupt is
// pending, and the rest is deferred work (deferred.h). The set is atomic nevertheless: until it is
// complete, user space sees no flags, and any other call for these flags first continues the set.
// Flags that are set meanwhile form another set, after the first one.
//
// A wait enters the list of waiters (wait.h). All other operations take constant time while no set
// is deferred.
#include "methods.h"

// The bits in the number of a waiting method: ALL waits for all flags (otherwise any), TAKES clears
// the flags.
enum { ALL = 1, TAKES = 2 };

// Number of waiters that are tested before the next test for pending interrupts, if none of them is
// woken.
enum { AT_ONCE = 4 };

_Static_assert(BULKHEAD_FLAGS_WAIT_ALL == BULKHEAD_FLAGS_WAIT_ANY + ALL, "methods.h");
_Static_assert(BULKHEAD_FLAGS_TAKE_ANY == BULKHEAD_FLAGS_WAIT_ANY + TAKES, "methods.h");
_Static_assert(BULKHEAD_FLAGS_TAKE_ALL == BULKHEAD_FLAGS_WAIT_ANY + ALL + TAKES, "methods.h");

// --- Setting flags -------------------------------------------------------------------------------

static void begin_set(struct flags *flags, uint32_t bits) {
    flags->now = (*flags->word | bits) & ~BULKHEAD_FLAGS_WAITED;
    flags->taken = 0;
    flags->more = 0;
}

// Wakes `thread`, which waits for flags, if its condition holds for the flags `now`.
static void try_wake(struct flags *flags, struct thread *thread, uint32_t now) {
    const uint32_t wanted = thread->wanted;
    const uint32_t how = thread->how;
    if ((how & ALL) && (wanted & ~now)) {
        return;
    }
    if (how & TAKES) {
        flags->taken |= wanted;
    }
    arch_set_value(arch_context_frame(&thread->context), now);
    const bool is_first = thread == flags->waiters.first;
    ignore_next(is_first ? thread_wake_first(&flags->waiters) : thread_wake(thread, BULKHEAD_OK));
}

// Tests the waiters from `next` on. `level` is the first waiter of the priority of `next`. Returns
// the waiter before which it stopped for an interrupt; NULL if it has tested all waiters.
static struct thread *wake_satisfied(struct flags *flags, struct thread *next,
                                     struct thread *level) {
    const uint32_t now = flags->now;
    const struct thread *last = level->previous;
    struct thread *lower = level->wait_lower;
    uint32_t left = AT_ONCE;
    for (;;) {
        struct thread *const each = next;
        next = each->next;
        if (each->wanted & now) {
            try_wake(flags, each, now);
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

#define FLAGS_OF_SET(member) \
    ((struct flags *)(void *)((char *)(member) - offsetof(struct flags, set)))

static bool is_deferred(const struct flags *flags) {
    return flags->set.kind != NULL;
}

// Ends a set. If other flags were set meanwhile, starts another set with these.
static __attribute__((noinline)) void end_deferred_set(struct flags *flags) {
    if (flags->more == 0) {
        deferred_remove(&flags->set);
    } else {
        begin_set(flags, flags->more);
        *flags->word = BULKHEAD_FLAGS_WAITED;
        flags->next = flags->waiters.first;
    }
}

static void end_set(struct flags *flags) {
    const uint32_t waited = flags->waiters.first == NULL ? 0 : BULKHEAD_FLAGS_WAITED;
    *flags->word = (flags->now & ~flags->taken) | waited;
    if (unlikely(is_deferred(flags))) {
        end_deferred_set(flags);
    }
}

static __attribute__((noinline)) void defer_rest(struct flags *flags, struct thread *next) {
    flags->next = next;
    *flags->word = BULKHEAD_FLAGS_WAITED;
    deferred_add(&flags->set, &flags_deferred_set);
}

static void continue_set(struct flags *flags, struct thread *next, struct thread *level) {
    struct thread *stopped_before = next == NULL ? NULL : wake_satisfied(flags, next, level);
    if (unlikely(stopped_before != NULL)) {
        defer_rest(flags, stopped_before);
    } else {
        end_set(flags);
    }
}

// Continues a set at the waiter at which it stopped. If that waiter has left the list, restarts at
// the first waiter: to test a waiter twice is harmless.
static struct thread *continue_deferred_set(struct flags *flags) {
    struct thread *next = flags->next;
    if (next != NULL && next->waits_in != &flags->waiters) {
        next = flags->waiters.first;
    }
    continue_set(flags, next,
                 next == NULL ? NULL : *wait_level(&flags->waiters, next->priority_mask));
    return thread_highest();
}

// Returns the priority of a deferred set. A set that has lost its waiters still has to be
// completed.
static uint32_t urgency(const struct deferred *work) {
    const struct thread *first = FLAGS_OF_SET(work)->waiters.first;
    return first == NULL ? priority_mask_of(PRIORITIES - 1) : first->priority_mask;
}

static void proceed(struct deferred *work) {
    ignore_next(continue_deferred_set(FLAGS_OF_SET(work)));
}

// Restarts a set after a waiter has moved in the list: the waiter may have moved from after `next`
// to before `next`, where it would not be tested.
static void start_over(struct deferred *work) {
    struct flags *flags = FLAGS_OF_SET(work);
    flags->next = flags->waiters.first;
}

const struct deferred_kind flags_deferred_set = {urgency, proceed, start_over};

static struct thread *set(struct flags *flags, uint32_t bits) {
    struct thread *first = flags->waiters.first;
    if (unlikely(is_deferred(flags))) {
        flags->more |= bits;
        return continue_deferred_set(flags);
    }
    begin_set(flags, bits);
    continue_set(flags, first, first);
    return thread_highest_or_caller();
}

struct thread *flags_set(struct flags *flags, struct arch_frame *frame) {
    return set(flags, arch_argument(frame));
}

void kernel_interrupt_sets(struct flags *flags, uint32_t bits) {
    if (set(flags, bits) != NO_SWITCH) {
        kernel_request_switch();
    }
}

// --- Waiting and clearing ------------------------------------------------------------------------

// Continues the deferred set; the caller then makes its call again.
static __attribute__((noinline)) struct thread *continue_set_first(struct flags *flags,
                                                                   struct arch_frame *frame) {
    arch_call_repeat(frame);
    return continue_deferred_set(flags);
}

static bool holds(uint32_t flags, uint32_t wanted, uint32_t how) {
    const uint32_t found = flags & wanted;
    return how & ALL ? found == wanted : found != 0;
}

static struct thread *block(struct flags *flags, uint32_t wanted, uint32_t how,
                            uint32_t timeout_ticks) {
    kernel.current->wanted = wanted;
    kernel.current->how = how;
    *flags->word |= BULKHEAD_FLAGS_WAITED;
    return thread_wait(&flags->waiters, timeout_ticks);
}

// Waits for flags. The number of the method says whether to wait for all or any of them, and
// whether to clear them.
struct thread *flags_wait(struct flags *flags, struct arch_frame *frame) {
    const uint32_t how = arch_method(frame) % BULKHEAD_METHODS - BULKHEAD_FLAGS_WAIT_ANY;
    const uint32_t wanted = arch_argument(frame) & ~BULKHEAD_FLAGS_WAITED;
    const uint32_t timeout_ticks = arch_second_argument(frame);
    const uint32_t now = *flags->word;
    if (unlikely(is_deferred(flags))) {
        return continue_set_first(flags, frame);
    }
    if (holds(now, wanted, how)) {
        *flags->word = how & TAKES ? now & ~wanted : now;
        arch_set_value(frame, now & ~BULKHEAD_FLAGS_WAITED);
        return NO_SWITCH;
    }
    if (timeout_ticks == BULKHEAD_NO_WAIT) {
        return kernel_fail(BULKHEAD_TIMED_OUT);
    }
    return block(flags, wanted, how, timeout_ticks);
}

struct thread *flags_clear(struct flags *flags, struct arch_frame *frame) {
    if (unlikely(is_deferred(flags))) {
        return continue_set_first(flags, frame);
    }
    *flags->word &= ~arch_argument(frame) | BULKHEAD_FLAGS_WAITED;
    return NO_SWITCH;
}
