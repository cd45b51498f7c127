// SPDX-License-Identifier: MIT
//
// What idle does above its priority: deferred.h.
#include "deferred.h"
#include "methods.h"

// Behind a timer of an earlier tick others are hidden: one of the highest priority that any had.
static uint32_t timers_bit(void) {
    const struct timer *due = kernel_due();
    if (due == NULL) {
        return 0;
    }
    const bool of_this_tick = timer_due(due) == kernel.ticks;
    const uint32_t highest = arch_leading_zeroes(kernel.timed_bits); // not of none
    return 0x80000000u >> (of_this_tick ? timer_priority(due) : highest);
}

// A set that has lost its waiters has an end, too.
static uint32_t set_bit(const struct flags *flags) {
    const struct thread *first = flags->waiters.first;
    return first == NULL ? ready_bit(PRIORITIES - 1) : first->bit;
}

static void begin_anew(struct thread *idle) {
    arch_context_begin(&idle->context, idle->declared->entry, idle->declared->stack_top);
    if (kernel.current == idle) {
        kernel.current = &kernel_nobody;
    }
}

struct flags *deferred_prioritise(void) {
    struct thread *idle = &kernel_idle;
    struct flags *set = NULL;
    uint32_t bit = timers_bit();
    for (struct flags *each = kernel.deferred; each != NULL; each = each->deferred_next) {
        if (set_bit(each) >= bit) {
            bit = set_bit(each);
            set = each;
        }
    }
    if (kernel.ending.first != NULL && kernel.ending.first->bit > bit) {
        bit = kernel.ending.first->bit;
    }
    if (bit != idle->bit) {
        if (idle->bit == 0) {
            begin_anew(idle);
        }
        thread_prioritise(idle, bit);
        *idle->level = idle; // ahead of equals: who is launched first waits for the last
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

// Idle's own right, and the first that it asks for. Whoever put something off has raised idle: it
// does not begin anew here.
decision idle_work(void *unused, struct arch_frame *frame) {
    struct flags *set = deferred_prioritise();
    const struct thread *ending = kernel.ending.first;
    (void)unused;
    if (kernel_idle.bit == 0) {
        return thread_highest();
    }
    arch_call_repeat(frame);
    if (ending != NULL && ending->bit == kernel_idle.bit) {
        return end_go_on();
    }
    if (set != NULL) {
        return flags_go_on(set);
    }
    kernel_expire();
    arch_switch_forget();
    return thread_highest();
}
