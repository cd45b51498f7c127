// SPDX-License-Identifier: MIT
//
// Threads: start, block, wake, suspend, terminate.
//
// A thread is in the ready queue exactly while its state is empty. The current thread is the head
// of the highest level, except between an interrupt that readies a higher one and the switch that
// follows it.
#include "methods.h"

struct kernel kernel __attribute__((section(".kernel_state")));
struct thread kernel_idle, kernel_nobody;

#define THREAD_OF_TIMER(member) \
    ((struct thread *)(void *)((char *)(member) - offsetof(struct thread, timer)))

// --- State ---------------------------------------------------------------------------------------

static decision make_ready(struct thread *thread) {
    return ready_add(&kernel.ready, thread) ? thread : GO_ON;
}

__attribute__((noinline)) decision thread_highest(void) {
    return ready_highest(&kernel.ready);
}

static void set_level(struct thread *thread, uint32_t bit) {
    thread->bit = bit;
    thread->level = &kernel.ready.heads[arch_leading_zeroes(bit)];
}

// For a thread that is not ready; out of line, because that is no part of a short path.
static __attribute__((noinline)) void set_resting_level(struct thread *thread, uint32_t bit) {
    set_level(thread, bit);
}

// Requests a switch in any case: the current thread may lose a priority that it had inherited.
static void time_out(struct timer *timer) {
    struct thread *thread = THREAD_OF_TIMER(timer);
    const bool slept = thread->state & THREAD_SLEEPS;
    const decision woken = thread_wake(thread, slept ? BULKHEAD_OK : BULKHEAD_TIMED_OUT);
    (void)woken;
    kernel_request_switch();
}

decision thread_launch(struct thread *thread, const struct thread_declaration *declared,
                       uint32_t state) {
    const uint32_t bit = ready_bit(declared->priority);
    kernel_clear(thread, thread + 1);
    thread->process = declared->process;
    thread->next = thread;
    thread->previous = thread;
    thread->state = state;
    thread->base_bit = bit;
    thread->slice_ticks_left = declared->slice_ticks;
    thread->timer.expire = time_out;
    thread->declared = declared;
    set_resting_level(thread, bit);
    arch_context_reset(&thread->context, declared->entry, declared->stack_top, &declared->stack);
    return state == 0 && ready_add(&kernel.ready, thread) ? thread : GO_ON;
}

// Takes a blocked thread out of the list, the timer and the inheritance that it waits in. Its state
// says until the end that it is blocked: if threads wait in a circle, the change of a priority
// comes back to this thread, which is in no ready queue yet.
static void leave_waiting(struct thread *thread) {
    struct mutex *mutex = thread->waits_for;
    struct gate *gate = thread->calls;
    if (timer_armed(&thread->timer)) {
        kernel_disarm(&thread->timer);
    }
    if (thread->state & THREAD_WAITS) {
        wait_leave(thread);
    }
    thread->waits_for = NULL;
    thread->calls = NULL;
    if (mutex != NULL) {
        mutex_forsake(mutex);
    }
    if (gate != NULL) {
        gate_forsake(gate, thread);
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
        queue_forsake(thread->retries);
    }
}

void thread_become_absent(struct thread *thread) {
    const bool lost = thread->state & THREAD_LOST;
    inherit_forget(thread);
    leave_waiting(thread);
    thread->state = THREAD_ABSENT;
    if (thread->joiner.first != NULL) {
        const decision woken =
            thread_wake(thread->joiner.first, lost ? BULKHEAD_PEER_LOST : BULKHEAD_OK);
        (void)woken; // the caller takes the highest thread from the ready queue
    }
}

void thread_end(struct thread *thread, uint32_t how) {
    stop(thread, THREAD_ABSENT);
    leave_waiting(thread);
    wait_enter(&kernel.ending, thread);
    thread->state = THREAD_ABSENT | THREAD_WAITS | how;
    thread->given_back = 0;
    if (kernel.current == thread) {
        kernel.current = &kernel_nobody;
        arch_fpu_forget();
    }
}

decision thread_block(uint32_t reason, uint32_t timeout_ticks) {
    struct thread *self = kernel.current;
    self->state = reason;
    if (timer_can_wait(timeout_ticks)) {
        kernel_arm(&self->timer, kernel.ticks + timeout_ticks, self->bit);
    }
    return ready_remove_head(&kernel.ready, self);
}

decision thread_wait(struct wait_list *list, uint32_t timeout_ticks) {
    const decision next = thread_block(THREAD_WAITS, timeout_ticks);
    wait_enter(list, kernel.current);
    return next;
}

decision thread_wait_if_any(struct wait_list *list, uint32_t timeout_ticks) {
    if (timeout_ticks == BULKHEAD_NO_WAIT) {
        return kernel_answer(BULKHEAD_TIMED_OUT);
    }
    return thread_wait(list, timeout_ticks);
}

static decision stop_waiting(struct thread *thread) {
    leave_waiting(thread);
    return thread->state == 0 ? make_ready(thread) : GO_ON;
}

decision thread_wake(struct thread *thread, enum bulkhead_result result) {
    arch_answer(arch_context_frame(&thread->context), result);
    return stop_waiting(thread);
}

void thread_proceed(struct thread *thread) {
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

decision thread_retry_first(struct queue *queue, const struct wait_list *list) {
    while (list->first != NULL) {
        struct thread *first = list->first;
        first->retries = queue;
        repeat_call(first);
        leave_waiting(first);
        if (first->state == 0) {
            return make_ready(first);
        }
    }
    return GO_ON;
}

void thread_prioritise(struct thread *thread, uint32_t bit) {
    struct wait_list *list = thread->waits_in;
    if (thread->state == 0) {
        ready_remove(&kernel.ready, thread);
        arch_settle();
        set_level(thread, bit);
        ready_add(&kernel.ready, thread);
        return;
    }
    if (list == NULL) {
        set_resting_level(thread, bit);
    } else {
        wait_leave(thread);
        set_resting_level(thread, bit);
        wait_enter(list, thread);
    }
    if (timer_armed(&thread->timer)) {
        kernel_arm(&thread->timer, timer_due(&thread->timer), bit);
    }
    deferred_start_over();
}

__attribute__((noinline)) void kernel_request_switch(void) {
    arch_switch_request();
}

// Finds the frame of the caller again, so that the common calls need no register for it.
__attribute__((noinline)) decision kernel_answer(enum bulkhead_result result) {
    arch_answer(arch_caller_frame(), result);
    return GO_ON;
}

// --- Interrupts ----------------------------------------------------------------------------------

void kernel_interrupt_resumes(struct thread *thread) {
    if (SELDOM(thread->state != THREAD_SUSPENDED)) {
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
    if (SELDOM(driver->state != THREAD_LISTENS || timer_armed(&driver->timer))) {
        kernel_interrupt_notifies(driver);
        return;
    }
    driver->state = 0;
    arch_settle();
    if (ready_add(&kernel.ready, driver)) {
        arch_switch_request();
    }
}

// --- Calls ---------------------------------------------------------------------------------------

decision self_yield(void) {
    struct thread *self = kernel.current;
    struct thread *next = self->next;
    if (next == self) {
        return GO_ON;
    }
    *self->level = next;
    return next;
}

// For a thread that also waits for something, or is not suspended.
static __attribute__((noinline)) decision resume_seldom(struct thread *thread) {
    if (!(thread->state & THREAD_SUSPENDED)) {
        return kernel_answer(BULKHEAD_REFUSED);
    }
    thread->state &= ~THREAD_SUSPENDED;
    return GO_ON;
}

decision thread_resume(struct thread *thread) {
    if (SELDOM(thread->state != THREAD_SUSPENDED)) {
        return resume_seldom(thread);
    }
    thread->state = 0;
    return make_ready(thread);
}

static __attribute__((noinline)) decision suspend_other(struct thread *thread) {
    if (thread->state & THREAD_ABSENT) {
        return kernel_answer(BULKHEAD_REFUSED);
    }
    stop(thread, THREAD_SUSPENDED);
    return thread_highest();
}

decision thread_suspend(struct thread *thread) {
    if (SELDOM(thread != kernel.current)) {
        return suspend_other(thread);
    }
    thread->state = THREAD_SUSPENDED;
    return ready_remove_head(&kernel.ready, thread);
}

decision thread_start(struct thread *thread) {
    if (thread->state != THREAD_ABSENT || thread->process->last->state & THREAD_LEADS) {
        return end_first(thread, BULKHEAD_REFUSED);
    }
    return thread_launch(thread, thread->declared, 0);
}

decision thread_join(struct thread *thread, struct arch_frame *frame) {
    if (thread->state == THREAD_ABSENT) {
        return GO_ON;
    }
    if (thread == kernel.current || thread->joiner.first != NULL) {
        return kernel_answer(BULKHEAD_REFUSED);
    }
    return thread_wait_if_any(&thread->joiner, arch_argument(frame));
}

decision self_exit(void) {
    thread_end(kernel.current, 0);
    return end_go_on();
}

static __attribute__((noinline)) decision delay(uint32_t ticks) {
    return ticks == 0 ? GO_ON : thread_block(THREAD_SLEEPS, ticks);
}

decision self_delay(void *unused, struct arch_frame *frame) {
    (void)unused;
    return delay(arch_argument(frame));
}

// TIMED_OUT if the tick has passed.
decision self_delay_until(void *unused, struct arch_frame *frame) {
    const uint32_t left_ticks = arch_argument(frame) - kernel.ticks;
    (void)unused;
    if ((int32_t)left_ticks < 0) {
        return kernel_answer(BULKHEAD_TIMED_OUT);
    }
    return delay(left_ticks);
}

decision thread_set_priority(struct thread *thread, struct arch_frame *frame) {
    const uint32_t priority = arch_argument(frame);
    if (priority >= PRIORITIES || priority < kernel.process->ceiling ||
        thread->state & THREAD_ABSENT) {
        return kernel_answer(BULKHEAD_REFUSED);
    }
    thread->base_bit = ready_bit(priority);
    thread_inherit(thread);
    return thread_highest();
}
