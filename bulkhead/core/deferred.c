// SPDX-License-Identifier: MIT
//
// What idle does above its priority: deferred.h.
#include "deferred.h"
#include "methods.h"

static void raise_idle(uint32_t bit) {
    struct thread *idle = &kernel_idle;
    if (bit <= idle->bit) {
        return;
    }
    if (idle->bit == 0) {
        arch_context_begin(&idle->context, idle->declared->entry, idle->declared->stack_top);
        if (kernel.current == idle) {
            kernel.current = &kernel_nobody;
        }
    }
    thread_prioritise(idle, bit);
}

void deferred_add(struct flags *flags) {
    if (!flags->is_deferred) {
        flags->is_deferred = true;
        flags->deferred_next = kernel.deferred;
        kernel.deferred = flags;
    }
    raise_idle(flags->waiters.first->bit);
}

void deferred_remove(struct flags *flags) {
    struct flags **link = &kernel.deferred;
    while (*link != flags) {
        link = &(*link)->deferred_next;
    }
    *link = flags->deferred_next;
    flags->is_deferred = false;
}

// A waiter that moved may have moved past the one that is next.
void deferred_start_over(void) {
    for (struct flags *each = kernel.deferred; each != NULL; each = each->deferred_next) {
        if (each->waiters.first != NULL) {
            each->next = each->waiters.first;
            raise_idle(each->next->bit);
        }
    }
}

// Idle's own right, and the first that it asks for.
decision idle_work(void *unused, struct arch_frame *frame) {
    (void)unused;
    if (kernel.deferred != NULL) {
        arch_call_repeat(frame);
        return flags_go_on(kernel.deferred);
    }
    thread_prioritise(&kernel_idle, 0);
    return ready_highest(&kernel.ready);
}
