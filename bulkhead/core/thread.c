// SPDX-License-Identifier: MIT
//
// Threads: how each comes to life, stops, goes on and ends.
//
// A thread is in the ready queue exactly while its state is empty. The current thread is the head
// of the highest level, except between an interrupt that readies a higher one and the switch that
// follows it.
#include "calls.h"
#include "kernel.h"

struct kernel kernel __attribute__((section(".kernel_page")));

#define THREAD_OF_TIMER(member) \
    ((struct thread *)(void *)((char *)(member) - offsetof(struct thread, timer)))

// --- State ---------------------------------------------------------------------------------------

static decision make_ready(struct thread *thread) {
    return ready_add(&kernel.ready, thread) ? thread : GO_ON;
}

static decision highest(void) {
    return ready_highest(&kernel.ready);
}

static inline void set_level(struct thread *thread, uint32_t priority) {
    thread->bit = ready_bit(priority);
    thread->level = &kernel.ready.heads[priority];
}

static void time_out(struct timer *timer) {
    struct thread *thread = THREAD_OF_TIMER(timer);
    const bool slept = thread->state & THREAD_SLEEPS;
    if (thread_wake(thread, slept ? BULKHEAD_OK : BULKHEAD_TIMED_OUT) != GO_ON) {
        arch_switch_request();
    }
}

bool thread_launch(struct thread *thread, const struct thread_declaration *declared,
                   uint32_t state) {
    *thread = (struct thread){.process = declared->process,
                              .next = thread,
                              .previous = thread,
                              .state = state,
                              .base_priority = declared->priority,
                              .timer = {.expire = time_out},
                              .declared = declared};
    set_level(thread, declared->priority);
    arch_context_reset(&thread->context, declared->entry, declared->stack_top, declared->stack);
    return state == 0 && ready_add(&kernel.ready, thread);
}

static void leave_waiting(struct thread *thread) {
    struct mutex *mutex = thread->waits_for;
    if (timer_armed(&thread->timer)) {
        timer_disarm(&kernel.timers, &thread->timer);
    }
    if (thread->state & THREAD_WAITS) {
        wait_leave(thread);
    }
    thread->state &= ~THREAD_BLOCKED;
    thread->waits_for = NULL;
    if (mutex != NULL) {
        mutex_forsake(mutex);
    }
}

void thread_end(struct thread *thread) {
    if (thread->state == 0) {
        ready_remove(&kernel.ready, thread);
    }
    leave_waiting(thread);
    thread->state = THREAD_ABSENT;
    mutex_release_all(thread);
    if (kernel.current == thread) {
        kernel.current = &kernel.nobody;
    }
}

decision thread_block(uint32_t reason, uint32_t timeout_ticks) {
    struct thread *self = kernel.current;
    self->state = reason;
    if (timeout_ticks != BULKHEAD_FOREVER) {
        timer_arm(&kernel.timers, &self->timer, kernel.ticks + timeout_ticks);
    }
    return ready_remove_head(&kernel.ready, self);
}

decision thread_wait(struct wait_list *list, uint32_t timeout_ticks) {
    const decision next = thread_block(THREAD_WAITS, timeout_ticks);
    wait_enter(list, kernel.current);
    return next;
}

static decision stop_waiting(struct thread *thread) {
    leave_waiting(thread);
    return thread->state == 0 ? make_ready(thread) : GO_ON;
}

decision thread_wake(struct thread *thread, enum bulkhead_result result) {
    arch_context_frame(&thread->context)->r0 = (uint32_t)result;
    return stop_waiting(thread);
}

decision thread_retry(struct thread *thread) {
    const uint32_t left_ticks =
        timer_armed(&thread->timer) ? timer_due(&thread->timer) - kernel.ticks : BULKHEAD_FOREVER;
    arch_frame_repeat(arch_context_frame(&thread->context), left_ticks);
    return stop_waiting(thread);
}

void thread_prioritise(struct thread *thread, uint32_t priority) {
    struct wait_list *list = thread->waits_in;
    if (thread->state == 0) {
        ready_remove(&kernel.ready, thread);
    } else if (list != NULL) {
        wait_leave(thread);
    }
    set_level(thread, priority);
    if (thread->state == 0) {
        ready_add(&kernel.ready, thread);
    } else if (list != NULL) {
        wait_enter(list, thread);
    }
}

void kernel_tick(void) {
    struct timer *due;
    kernel.ticks++;
    while ((due = timers_take_due(&kernel.timers, kernel.ticks)) != NULL) {
        due->expire(due);
    }
}

__attribute__((noinline)) decision kernel_refuse(enum bulkhead_result result) {
    return answer(arch_caller_frame(), result);
}

// --- Calls ---------------------------------------------------------------------------------------

decision call_yield(struct arch_frame *frame) {
    struct thread *self = kernel.current;
    struct thread *next = self->next;
    (void)frame;
    if (next == self) {
        return GO_ON;
    }
    *self->level = next;
    return next;
}

// Also waits, or was not suspended at all.
static __attribute__((noinline)) decision resume_seldom(struct thread *thread) {
    if (!(thread->state & THREAD_SUSPENDED)) {
        return kernel_refuse(BULKHEAD_REFUSED);
    }
    thread->state &= ~THREAD_SUSPENDED;
    return GO_ON;
}

// The result comes first, and is overwritten if it was wrong: the frame needs no register then.
decision call_resume(struct arch_frame *frame, uint32_t handle) {
    frame->r0 = BULKHEAD_OK;
    arch_settle();
    struct thread *thread = RIGHT_TO(kernel.process->controls, handle);
    if (SELDOM(thread == NULL)) {
        return kernel_refuse(BULKHEAD_DENIED);
    }
    if (SELDOM(thread->state != THREAD_SUSPENDED)) {
        return resume_seldom(thread);
    }
    thread->state = 0;
    return make_ready(thread);
}

static __attribute__((noinline)) decision suspend_other(struct thread *thread) {
    if (thread->state & THREAD_ABSENT) {
        return kernel_refuse(BULKHEAD_REFUSED);
    }
    if (thread->state == 0) {
        ready_remove(&kernel.ready, thread);
    }
    thread->state |= THREAD_SUSPENDED;
    return GO_ON;
}

decision call_suspend(struct arch_frame *frame, uint32_t handle) {
    frame->r0 = BULKHEAD_OK;
    arch_settle();
    struct thread *thread = RIGHT_TO(kernel.process->controls, handle);
    if (SELDOM(thread == NULL)) {
        return kernel_refuse(BULKHEAD_DENIED);
    }
    if (SELDOM(thread != kernel.current)) {
        return suspend_other(thread);
    }
    thread->state = THREAD_SUSPENDED;
    return ready_remove_head(&kernel.ready, thread);
}

decision call_start(struct arch_frame *frame, uint32_t handle) {
    struct thread *thread = RIGHT_TO(kernel.process->controls, handle);
    if (thread == NULL) {
        return answer(frame, BULKHEAD_DENIED);
    }
    if (thread->state != THREAD_ABSENT) {
        return answer(frame, BULKHEAD_REFUSED);
    }
    frame->r0 = BULKHEAD_OK;
    return thread_launch(thread, thread->declared, 0) ? thread : GO_ON;
}

decision call_exit(struct arch_frame *frame) {
    (void)frame;
    thread_end(kernel.current);
    return highest();
}

decision call_delay(struct arch_frame *frame, uint32_t ticks) {
    frame->r0 = BULKHEAD_OK;
    return ticks == 0 ? GO_ON : thread_block(THREAD_SLEEPS, ticks);
}

decision call_set_priority(struct arch_frame *frame, uint32_t handle, uint32_t priority) {
    struct thread *thread = RIGHT_TO(kernel.process->controls, handle);
    if (thread == NULL) {
        return answer(frame, BULKHEAD_DENIED);
    }
    if (priority >= PRIORITIES) {
        return answer(frame, BULKHEAD_REFUSED);
    }
    frame->r0 = BULKHEAD_OK;
    thread->base_priority = priority;
    mutex_inherit(thread);
    return highest();
}
