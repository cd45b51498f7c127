// SPDX-License-Identifier: MIT
//
// The list of deferred work, and the priority of the idle thread, which does that work: see
// deferred.h. New work is added at the head of the list, so among works of one priority the last
// one is the oldest.
#include "deferred.h"
#include "methods.h"

static struct deferred *most_urgent(uint32_t *mask) {
    struct deferred *found = NULL;
    for (struct deferred *each = kernel.deferred; each != NULL; each = each->next) {
        const uint32_t urgency = each->kind->urgency(each);
        if (urgency >= *mask) {
            *mask = urgency;
            found = each;
        }
    }
    return found;
}

static void restart_idle(struct thread *idle) {
    const struct thread_declaration *declared = &kernel_idle_declaration;
    arch_context_begin(&idle->context, declared->entry, declared->stack_top);
    if (kernel.current == idle) {
        kernel_set_current(&kernel_no_thread);
    }
}

static void prioritise_idle(struct thread *idle, uint32_t mask) {
    if (idle->priority_mask == 0) {
        restart_idle(idle); // the idle thread is in no ring
    } else {
        ready_remove(&kernel.ready, idle);
    }
    thread_set_level(idle, mask);
    ready_add_first(&kernel.ready, idle);
}

struct deferred *deferred_prioritise(void) {
    struct thread *idle = &kernel_idle;
    uint32_t mask = 0;
    struct deferred *work = most_urgent(&mask);
    if (mask != idle->priority_mask) {
        prioritise_idle(idle, mask);
    }
    return work;
}

// Adds work to the list. New work can only raise the priority of the idle thread, so only its own
// urgency is compared. The urgency of older work may have fallen meanwhile; idle_work finds that.
void deferred_add(struct deferred *work, const struct deferred_kind *kind) {
    if (work->kind != NULL) {
        deferred_prioritise();
        return;
    }
    work->kind = kind;
    work->next = kernel.deferred;
    kernel.deferred = work;
    const uint32_t mask = kind->urgency(work);
    if (mask > kernel_idle.priority_mask) {
        prioritise_idle(&kernel_idle, mask);
    }
}

void deferred_remove(struct deferred *work) {
    struct deferred **link = &kernel.deferred;
    if (work->kind == NULL) {
        return;
    }
    while (*link != work) {
        link = &(*link)->next;
    }
    *link = work->next;
    *work = (struct deferred){0};
}

void deferred_start_over(void) {
    for (struct deferred *each = kernel.deferred; each != NULL; each = each->next) {
        if (each->kind->start_over != NULL) {
            each->kind->start_over(each);
        }
    }
    deferred_prioritise();
}

// The call by which the idle thread asks for work. The idle thread got its priority when the work
// was deferred. The next work may have a lower priority than the work before it; this call then
// lowers the priority of the idle thread, and threads with a priority between the two run first. If
// an interrupt is pending when the work has been chosen, it is taken before the piece of work is
// done, so that no interrupt waits for both the choice and the piece.
struct thread *idle_work(void *unused, struct arch_frame *frame) {
    struct deferred *work = deferred_prioritise();
    (void)unused;
    if (kernel_idle.priority_mask != 0) {
        arch_call_repeat(frame);
        if (ready_highest(&kernel.ready) == &kernel_idle && !arch_interrupt_pending()) {
            work->kind->proceed(work);
        }
    }
    return ready_highest(&kernel.ready);
}
