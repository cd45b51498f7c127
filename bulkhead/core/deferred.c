// SPDX-License-Identifier: MIT
//
// The work that idle does above its priority: see deferred.h.
#include "deferred.h"
#include "methods.h"

static uint32_t highest_mask(uint32_t bitmap) {
    return priority_mask_of(arch_leading_zeroes(bitmap));
}

// An overdue timer in the heap may hide one of the highest priority that any had.
static uint32_t timers_mask(void) {
    const struct timer *due = timers_due(&kernel.timers, kernel.ticks);
    const uint32_t expired = highest_mask(kernel.expired.bitmap);
    if (due == NULL) {
        return expired;
    }
    const uint32_t mask =
        kernel_has_overdue() ? highest_mask(kernel.timed_priorities) : timer_priority_mask(due);
    return mask > expired ? mask : expired;
}

// Overdue timers are moved until none is left or an interrupt is pending.
static void run_expired_timers(void) {
    do {
        kernel_expire();
    } while (kernel_has_overdue() && !arch_interrupt_pending());
}

// A set that has lost its waiters has an end, too.
static uint32_t set_mask(const struct flags *flags) {
    const struct thread *first = flags->waiters.first;
    return first == NULL ? priority_mask_of(PRIORITIES - 1) : first->priority_mask;
}

static void restart_idle(struct thread *idle) {
    arch_context_begin(&idle->context, idle->declared->entry, idle->declared->stack_top);
    if (kernel.current == idle) {
        kernel.current = &kernel_no_thread;
    }
}

struct flags *deferred_prioritise(void) {
    struct thread *idle = &kernel_idle;
    struct flags *set = NULL;
    uint32_t mask = timers_mask();
    for (struct flags *each = kernel.deferred; each != NULL; each = each->deferred_next) {
        if (set_mask(each) >= mask) {
            mask = set_mask(each);
            set = each;
        }
    }
    if (kernel.ending.first != NULL && kernel.ending.first->priority_mask > mask) {
        mask = kernel.ending.first->priority_mask;
    }
    inherit_most_urgent(&mask);
    if (mask != idle->priority_mask) {
        if (idle->priority_mask == 0) {
            restart_idle(idle);
        }
        thread_prioritise(idle, mask);
        *idle->level = idle; // ahead of equals
    }
    return set;
}

void deferred_add(struct flags *flags) {
    if (!flags->is_deferred) {
        flags->is_deferred = true;
        flags->deferred_next = kernel.deferred;
        kernel.deferred = flags;
    }
    deferred_prioritise();
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
        each->next = each->waiters.first;
    }
    deferred_prioritise();
}

// Idle's own right, and its first call. Work that was deferred has raised idle already, so that
// idle does not start again here. What is next may have a lower priority than what idle did last:
// then the threads between run first.
struct thread *idle_work(void *unused, struct arch_frame *frame) {
    struct flags *set = deferred_prioritise();
    const struct thread *ending = kernel.ending.first;
    uint32_t mask = kernel_idle.priority_mask;
    (void)unused;
    if (mask == 0) {
        return thread_highest();
    }
    arch_call_repeat(frame);
    if (thread_highest() != &kernel_idle) {
        return thread_highest();
    }
    struct thread *inheriting = inherit_most_urgent(&mask);
    if (inheriting != NULL) {
        return inherit_continue(inheriting);
    }
    if (ending != NULL && ending->priority_mask == kernel_idle.priority_mask) {
        return end_continue();
    }
    if (set != NULL) {
        return flags_continue_set(set);
    }
    run_expired_timers();
    arch_switch_forget();
    return thread_highest();
}
