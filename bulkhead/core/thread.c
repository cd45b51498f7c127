// SPDX-License-Identifier: MIT
//
// Threads: start, block, wake, suspend, terminate.
//
// A thread is in the ready queue exactly while its state is empty. The current thread is the head
// of the highest level, except between an interrupt that readies a higher one and the switch that
// follows it.
#include "methods.h"

struct kernel kernel __attribute__((section(".kernel_state")));
struct thread kernel_idle, kernel_no_thread;

#define THREAD_OF_TIMER(member) \
    ((struct thread *)(void *)((char *)(member) - offsetof(struct thread, timer)))

// --- State ---------------------------------------------------------------------------------------

static struct thread *make_ready(struct thread *thread) {
    return ready_add(&kernel.ready, thread) ? thread : NO_SWITCH;
}

__attribute__((noinline)) struct thread *thread_highest(void) {
    return ready_highest(&kernel.ready);
}

static void set_level(struct thread *thread, uint32_t mask) {
    thread->priority_mask = mask;
    thread->level = &kernel.ready.heads[arch_leading_zeroes(mask)];
}

// For a thread that is not ready; out of line, because that is no part of a short path.
static __attribute__((noinline)) void set_resting_level(struct thread *thread, uint32_t mask) {
    set_level(thread, mask);
}

// Requests a switch in any case: the current thread may lose a priority that it had inherited.
static void time_out(struct timer *timer) {
    struct thread *thread = THREAD_OF_TIMER(timer);
    const bool slept = thread->state & THREAD_SLEEPS;
    ignore_next(thread_wake(thread, slept ? BULKHEAD_OK : BULKHEAD_TIMED_OUT));
    kernel_request_switch();
}

struct thread *thread_launch(struct thread *thread, const struct thread_declaration *declared,
                             uint32_t state) {
    const uint32_t mask = priority_mask_of(declared->priority);
    kernel_clear(thread, thread + 1);
    thread->process = declared->process;
    thread->next = thread;
    thread->previous = thread;
    thread->state = state;
    thread->base_priority_mask = mask;
    thread->slice_ticks_left = declared->slice_ticks;
    thread->timer.expire = time_out;
    thread->declared = declared;
    set_resting_level(thread, mask);
    arch_context_reset(&thread->context, declared->entry, declared->stack_top, &declared->stack);
    return state == 0 && ready_add(&kernel.ready, thread) ? thread : NO_SWITCH;
}

// Takes a blocked thread out of the list, the timer and the inheritance that it waits in. Its state
// says until the end that it is blocked: if threads wait in a circle, the change of a priority
// comes back to this thread, which is in no ready queue yet.
static void leave_waiting(struct thread *thread) {
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

// Adds `reason` to the state of a thread. A thread that was ready leaves the ready queue in the
// same step, and does not make the call again that it was woken for.
static void stop(struct thread *thread, uint32_t reason) {
    const bool was_ready = thread->state == 0;
    thread->state |= reason;
    if (was_ready) {
        ready_remove(&kernel.ready, thread);
        queue_cancel_wait(thread->retries);
    }
}

void thread_become_dormant(struct thread *thread) {
    const bool lost = thread->state & THREAD_LOST;
    inherit_forget(thread);
    leave_waiting(thread);
    thread->state = THREAD_DORMANT;
    if (thread->joiner.first != NULL) {
        ignore_next(thread_wake(thread->joiner.first, lost ? BULKHEAD_PEER_LOST : BULKHEAD_OK));
    }
}

void thread_end(struct thread *thread, uint32_t how) {
    stop(thread, THREAD_DORMANT);
    leave_waiting(thread);
    wait_enter(&kernel.ending, thread);
    thread->state = THREAD_DORMANT | THREAD_WAITS | how;
    thread->given_back = 0;
    if (kernel.current == thread) {
        kernel.current = &kernel_no_thread;
        arch_fpu_forget();
    }
}

struct thread *thread_block(uint32_t reason, uint32_t timeout_ticks) {
    struct thread *self = kernel.current;
    self->state = reason;
    if (timer_can_wait(timeout_ticks)) {
        kernel_arm(&self->timer, kernel.ticks + timeout_ticks, self->priority_mask);
    }
    return ready_remove_head(&kernel.ready, self);
}

struct thread *thread_wait(struct wait_list *list, uint32_t timeout_ticks) {
    struct thread *const next = thread_block(THREAD_WAITS, timeout_ticks);
    wait_enter(list, kernel.current);
    return next;
}

struct thread *thread_wait_if_any(struct wait_list *list, uint32_t timeout_ticks) {
    if (timeout_ticks == BULKHEAD_NO_WAIT) {
        return kernel_fail(BULKHEAD_TIMED_OUT);
    }
    return thread_wait(list, timeout_ticks);
}

static struct thread *stop_waiting(struct thread *thread) {
    leave_waiting(thread);
    return thread->state == 0 ? make_ready(thread) : NO_SWITCH;
}

struct thread *thread_wake(struct thread *thread, enum bulkhead_result result) {
    arch_set_result(arch_context_frame(&thread->context), result);
    return stop_waiting(thread);
}

void thread_wake_ahead(struct thread *thread) {
    leave_waiting(thread);
    if (thread->state == 0) {
        ready_add_first(&kernel.ready, thread);
    }
}

// The thread makes its call again with the rest of its timeout: none if the timer is due and was
// not run yet.
static void repeat_call(struct thread *thread) {
    uint32_t left_ticks = BULKHEAD_FOREVER;
    if (timer_armed(&thread->timer)) {
        const int32_t left = (int32_t)(timer_due(&thread->timer) - kernel.ticks);
        left_ticks = left < 0 ? BULKHEAD_NO_WAIT : (uint32_t)left;
    }
    arch_frame_repeat(arch_context_frame(&thread->context), left_ticks);
}

struct thread *thread_retry_first(struct queue *queue, const struct wait_list *list) {
    while (list->first != NULL) {
        struct thread *first = list->first;
        first->retries = queue;
        repeat_call(first);
        leave_waiting(first);
        if (first->state == 0) {
            return make_ready(first);
        }
    }
    return NO_SWITCH;
}

void thread_prioritise(struct thread *thread, uint32_t mask) {
    struct wait_list *list = thread->waits_in;
    if (thread->state == 0) {
        ready_remove(&kernel.ready, thread);
        arch_compiler_barrier();
        set_level(thread, mask);
        ready_add(&kernel.ready, thread);
        return;
    }
    if (list == NULL) {
        set_resting_level(thread, mask);
    } else {
        wait_leave(thread);
        set_resting_level(thread, mask);
        wait_enter(list, thread);
    }
    if (timer_armed(&thread->timer)) {
        kernel_arm(&thread->timer, timer_due(&thread->timer), mask);
    }
    deferred_start_over();
}

__attribute__((noinline)) void kernel_request_switch(void) {
    arch_switch_request();
}

// Finds the frame of the caller again, so that the common calls need no register for it.
__attribute__((noinline)) struct thread *kernel_fail(enum bulkhead_result result) {
    arch_set_result(arch_caller_frame(), result);
    return NO_SWITCH;
}

// --- Interrupts ----------------------------------------------------------------------------------

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

// The interrupt has masked the line (interrupt.c).
void kernel_interrupt_delivers(struct thread *driver) {
    if (unlikely(driver->state != THREAD_LISTENS || timer_armed(&driver->timer))) {
        kernel_interrupt_notifies(driver);
        return;
    }
    driver->state = 0;
    arch_compiler_barrier();
    if (ready_add(&kernel.ready, driver)) {
        arch_switch_request();
    }
}

// --- Calls ---------------------------------------------------------------------------------------

struct thread *self_yield(void) {
    struct thread *self = kernel.current;
    struct thread *next = self->next;
    if (next == self) {
        return NO_SWITCH;
    }
    *self->level = next;
    return next;
}

// For a thread that also waits for something, or is not suspended.
static __attribute__((noinline)) struct thread *resume_slow_path(struct thread *thread) {
    if (!(thread->state & THREAD_SUSPENDED)) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    thread->state &= ~THREAD_SUSPENDED;
    return NO_SWITCH;
}

struct thread *thread_resume(struct thread *thread) {
    if (unlikely(thread->state != THREAD_SUSPENDED)) {
        return resume_slow_path(thread);
    }
    thread->state = 0;
    return make_ready(thread);
}

static __attribute__((noinline)) struct thread *suspend_other(struct thread *thread) {
    if (thread->state & THREAD_DORMANT) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    stop(thread, THREAD_SUSPENDED);
    return thread_highest();
}

struct thread *thread_suspend(struct thread *thread) {
    if (unlikely(thread != kernel.current)) {
        return suspend_other(thread);
    }
    thread->state = THREAD_SUSPENDED;
    return ready_remove_head(&kernel.ready, thread);
}

struct thread *thread_start(struct thread *thread) {
    if (thread->state != THREAD_DORMANT || thread->process->last->state & THREAD_LEADS) {
        return end_first(thread, BULKHEAD_REFUSED);
    }
    return thread_launch(thread, thread->declared, 0);
}

struct thread *thread_join(struct thread *thread, struct arch_frame *frame) {
    if (thread->state == THREAD_DORMANT) {
        return NO_SWITCH;
    }
    if (thread == kernel.current || thread->joiner.first != NULL) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    return thread_wait_if_any(&thread->joiner, arch_argument(frame));
}

struct thread *self_exit(void) {
    thread_end(kernel.current, 0);
    return end_continue();
}

static __attribute__((noinline)) struct thread *delay(uint32_t ticks) {
    return ticks == 0 ? NO_SWITCH : thread_block(THREAD_SLEEPS, ticks);
}

struct thread *self_delay(void *unused, struct arch_frame *frame) {
    (void)unused;
    return delay(arch_argument(frame));
}

// TIMED_OUT if the tick has passed.
struct thread *self_delay_until(void *unused, struct arch_frame *frame) {
    const uint32_t left_ticks = arch_argument(frame) - kernel.ticks;
    (void)unused;
    if ((int32_t)left_ticks < 0) {
        return kernel_fail(BULKHEAD_TIMED_OUT);
    }
    return delay(left_ticks);
}

struct thread *thread_set_priority(struct thread *thread, struct arch_frame *frame) {
    const uint32_t priority = arch_argument(frame);
    if (priority >= PRIORITIES || priority < kernel.process->ceiling ||
        thread->state & THREAD_DORMANT) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    thread->base_priority_mask = priority_mask_of(priority);
    thread_inherit(thread);
    return thread_highest();
}
