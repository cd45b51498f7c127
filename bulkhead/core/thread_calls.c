// SPDX-License-Identifier: MIT
//
// System calls that concern other threads or the order in which threads run: yield, start,
// set_priority.
#include "methods.h"
#include "optional.h"

struct thread *self_yield(void) {
    struct thread *self = kernel.current;
    struct thread *next = self->next;
    if (next == self) {
        return NO_SWITCH;
    }
    *self->level = next;
    return next;
}

struct thread *thread_start(struct thread *thread) {
    if (thread->state != THREAD_DORMANT || thread->process->last->state & THREAD_LEADS ||
        restart_is_ended(thread->process)) {
        return end_first(thread, BULKHEAD_REFUSED);
    }
    thread_rewind(thread, thread->declared);
    return thread_launch(thread, thread->declared, 0);
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
