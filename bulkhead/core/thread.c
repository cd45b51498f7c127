// SPDX-License-Identifier: MIT
//
// Changes the states of threads (launch, block, wake) and their priorities. Also has the calls that
// delay a thread.
//
// A thread is in the ready queue exactly while its state is empty. The current thread is the head
// of the highest level, except between an interrupt that readies a higher thread and the switch
// that follows.
#include "methods.h"
#include "optional.h"

struct kernel kernel __attribute__((section(".kernel_state")));
struct thread kernel_idle, kernel_no_thread;

#define THREAD_OF_TIMER(member) \
    ((struct thread *)(void *)((char *)(member) - offsetof(struct thread, timer)))

// --- State ---------------------------------------------------------------------------------------

// Sets the level of a thread that is not ready. Out of line, because no fast path uses it.
static __attribute__((noinline)) void set_resting_level(struct thread *thread, uint32_t mask) {
    thread_set_level(thread, mask);
}

// Ends a wait whose timeout is over. Requests a switch in any case, because the current thread may
// lose a priority that it had inherited.
static void time_out(struct timer *timer) {
    struct thread *thread = THREAD_OF_TIMER(timer);
    const bool slept = thread->state & THREAD_SLEEPS;
    ignore_next(thread_wake(thread, slept ? BULKHEAD_OK : BULKHEAD_TIMED_OUT));
    kernel_request_switch();
}

void thread_rewind(struct thread *thread, const struct thread_declaration *declared) {
    arch_context_reset(&thread->context, declared->entry, declared->stack_top, &declared->stack);
}

// A struct of this size, which the compiler clears with inline code.
struct four_words {
    uint32_t each[4];
};

// The part of struct thread that is cleared, in whole pairs of struct four_words (32 bytes). A
// launch sets the members before it.
enum {
    STATE_BYTES = offsetof(struct thread, floats) - offsetof(struct thread, process),
    CLEARED_FROM = offsetof(struct thread, floats) - STATE_BYTES / 32 * 32,
};

_Static_assert(CLEARED_FROM <= offsetof(struct thread, waits_for), "launch clears the rest");

// Clears the state of a thread. Does not clear `floats`, because registers are saved there before
// they are read from there.
static inline void clear_state(struct thread *thread) {
    struct four_words *each = (struct four_words *)(void *)((char *)thread + CLEARED_FROM);
    do {
        each[0] = (struct four_words){{0}};
        each[1] = (struct four_words){{0}};
        each += 2;
        arch_compiler_barrier();
    } while ((void *)each != &thread->floats);
}

struct thread *thread_launch(struct thread *thread, const struct thread_declaration *declared,
                             uint32_t state) {
    const uint32_t mask = priority_mask_of(declared->priority);
    clear_state(thread);
    thread->process = declared->process;
    thread->next = thread;
    thread->previous = thread;
    state = budget_launch_state(declared->process, state);
    thread->state = state;
    thread->base_priority_mask = mask;
    thread->slice_ticks_left = declared->slice_ticks;
    thread->timer.expire = time_out;
    thread->declared = declared;
    thread_set_level(thread, mask);
    return state == 0 ? thread_make_ready(thread) : NO_SWITCH;
}

// Ends the wait of a thread. Its state says until the end of this function that it is blocked: if
// threads wait in a circle, the change of a priority reaches this thread again, and it is not in
// the ready queue yet.
void thread_leave_waiting(struct thread *thread) {
    struct resource *resource = thread->waits_for;
    if (timer_armed(&thread->timer)) {
        kernel_disarm(&thread->timer);
    }
    if (thread->state & THREAD_WAITS) {
        wait_leave(thread);
    }
    thread->waits_for = NULL;
    if (resource != NULL) {
        resource->cancel_wait(resource, thread);
    }
    thread->state &= ~THREAD_BLOCKED;
}

static inline struct thread *add_ready(struct thread *thread) {
    return ready_add(&kernel.ready, thread) ? thread : NO_SWITCH;
}

struct thread *thread_make_ready(struct thread *thread) {
    return add_ready(thread);
}

void thread_arm(uint32_t timeout_ticks) {
    struct thread *self = kernel.current;
    kernel_arm(&self->timer, kernel.ticks + timeout_ticks, self->priority_mask);
}

// Arms the timer of the current thread, which is no longer ready, if its wait has a timeout.
static inline void arm_if_timed(uint32_t timeout_ticks) {
    if (timer_can_wait(timeout_ticks)) {
        kernel.current->state |= THREAD_TIMED;
        thread_arm(timeout_ticks);
    }
}

struct thread *thread_block(uint32_t reason, uint32_t timeout_ticks) {
    struct thread *self = kernel.current;
    self->state = reason;
    arm_if_timed(timeout_ticks);
    return ready_remove_head(&kernel.ready, self);
}

static __attribute__((noinline)) struct thread *wait_among_others(struct wait_list *list) {
    struct thread *self = kernel.current;
    struct thread *const next = ready_remove_head(&kernel.ready, self);
    wait_enter(list, self);
    return next;
}

struct thread *thread_wait(struct wait_list *list, uint32_t timeout_ticks) {
    struct thread *self = kernel.current;
    self->state = THREAD_WAITS;
    arm_if_timed(timeout_ticks);
    if (list->first != NULL) {
        return wait_among_others(list);
    }
    wait_enter_empty(list, self);
    return ready_remove_head(&kernel.ready, self);
}

struct thread *thread_wait_if_any(struct wait_list *list, uint32_t timeout_ticks) {
    if (timeout_ticks == BULKHEAD_NO_WAIT) {
        return kernel_fail(BULKHEAD_TIMED_OUT);
    }
    return thread_wait(list, timeout_ticks);
}

static __attribute__((noinline)) struct thread *stop_waiting(struct thread *thread) {
    thread_leave_waiting(thread);
    return thread->state == 0 ? thread_make_ready(thread) : NO_SWITCH;
}

struct thread *thread_wake(struct thread *thread, enum bulkhead_result result) {
    arch_set_result(arch_context_frame(&thread->context), result);
    return stop_waiting(thread);
}

// Wakes the first waiter. The common case comes first: the thread is not suspended, and has set its
// result to OK when it called.
struct thread *thread_wake_first(struct wait_list *list) {
    struct thread *first = list->first;
    const uint32_t state = first->state & ~THREAD_EQUALS;
    if (unlikely(state != THREAD_WAITS)) {
        if (state != (THREAD_WAITS | THREAD_TIMED)) {
            return stop_waiting(first);
        }
        kernel_disarm(&first->timer);
    }
    wait_leave_first(list, first);
    first->state = 0;
    return add_ready(first);
}

void thread_wake_ahead(struct thread *thread) {
    thread_leave_waiting(thread);
    if (thread->state == 0) {
        ready_add_first(&kernel.ready, thread);
    }
}

// Makes the thread repeat its call with the ticks that remain of its timeout. None remain if the
// timer is due but the tick has not handled it yet.
static void repeat_call(struct thread *thread) {
    uint32_t left_ticks = BULKHEAD_FOREVER;
    if (timer_armed(&thread->timer)) {
        const int32_t left = (int32_t)(timer_due(&thread->timer) - kernel.ticks);
        left_ticks = left < 0 ? BULKHEAD_NO_WAIT : (uint32_t)left;
    }
    arch_frame_repeat(arch_context_frame(&thread->context), left_ticks);
}

struct thread *thread_retry_first(struct queue *queue, struct wait_list *list) {
    while (list->first != NULL) {
        struct thread *first = list->first;
        first->retries = queue;
        repeat_call(first);
        struct thread *const next = thread_wake_first(list);
        if (first->state == 0) {
            return next;
        }
    }
    return NO_SWITCH;
}

static __attribute__((noinline)) void prioritise_blocked(struct thread *thread, uint32_t mask) {
    struct wait_list *list = thread->waits_in;
    if (list == NULL) {
        set_resting_level(thread, mask);
    } else {
        wait_leave(thread);
        set_resting_level(thread, mask);
        wait_enter(list, thread);
    }
    if (timer_armed(&thread->timer)) {
        kernel_disarm(&thread->timer);
        kernel_arm(&thread->timer, timer_due(&thread->timer), mask);
    }
    if (kernel.deferred != NULL) {
        deferred_start_over();
    }
}

void thread_prioritise(struct thread *thread, uint32_t mask) {
    if (thread->state == 0) {
        thread_move_ready(thread, mask);
    } else {
        prioritise_blocked(thread, mask);
    }
}

// --- Calls that block ----------------------------------------------------------------------------

struct thread *thread_join(struct thread *thread, struct arch_frame *frame) {
    if (thread->state == THREAD_DORMANT) {
        return NO_SWITCH;
    }
    if (thread == kernel.current || thread->joiner.first != NULL) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    return thread_wait_if_any(&thread->joiner, arch_argument(frame));
}

static __attribute__((noinline)) struct thread *delay(uint32_t ticks) {
    return ticks == 0 ? NO_SWITCH : thread_block(THREAD_SLEEPS, ticks);
}

struct thread *self_delay(void *unused, struct arch_frame *frame) {
    (void)unused;
    return delay(arch_argument(frame));
}

// Sleeps until a tick. Fails with TIMED_OUT if the tick has passed.
struct thread *self_delay_until(void *unused, struct arch_frame *frame) {
    const uint32_t left_ticks = arch_argument(frame) - kernel.ticks;
    (void)unused;
    if ((int32_t)left_ticks < 0) {
        return kernel_fail(BULKHEAD_TIMED_OUT);
    }
    return delay(left_ticks);
}
