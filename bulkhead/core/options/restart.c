// SPDX-License-Identifier: MIT
//
// The calls by which a supervisor restarts and ends a process. Only a system that declares a policy
// for restarts has this file. The policy itself is user code (user/supervise.c).
//
// A process with a policy never restarts by itself: a fault ends it, and its supervisor decides. A
// restart is a termination (end.c) that ends with a launch. The caller waits until the termination
// is complete, so a supervisor never sees half of it, whatever priority the caller inherits
// meanwhile: the thread that leads the termination inherits that priority, too (inherit.c). The
// termination has the higher one of two priorities: the highest that is declared for a thread of
// the process, and that of the caller. A thread of the process whose priority is above both also
// delays the caller.
#include "restart.h"
#include "methods.h"
#include "optional.h"

bool restart_is_wanted(const struct process *process) {
    const struct restart *row = kernel_restart_of(process);
    return row == NULL ? process->restarts : row->is_wanted;
}

// Forgets that the supervisor asked for a restart. A request is valid for one launch: after each
// fault the supervisor decides again.
void restart_forget(const struct process *process) {
    struct restart *row = kernel_restart_of(process);
    if (row != NULL) {
        row->is_wanted = false;
        row->life = RESTART_ENDS;
    }
}

// Wakes all callers that wait for the termination; there is commonly one.
void restart_complete(const struct process *process) {
    struct restart *row = kernel_restart_of(process);
    if (row == NULL) {
        return;
    }
    row->life = row->is_wanted ? RESTART_RUNS : RESTART_ENDED;
    while (row->callers.first != NULL) {
        row->callers.first->waits_for = NULL;
        ignore_next(thread_wake_first(&row->callers));
    }
}

bool restart_is_ended(const struct process *process) {
    const struct restart *row = kernel_restart_of(process);
    return row != NULL && row->life == RESTART_ENDED;
}

const struct thread *restart_first_caller(const struct thread *leader) {
    const struct restart *row =
        leader->state & THREAD_LOST ? kernel_restart_of(leader->process) : NULL;
    return row != NULL && row->termination.holder == leader ? row->callers.first : NULL;
}

// Called when a caller that waits for the termination is itself terminated.
static void cancel_wait(struct resource *termination, struct thread *waiter) {
    (void)waiter;
    thread_inherit(termination->holder);
}

// Begins the termination of a process, or begins it again, and waits for it. The idle thread, which
// does the work, runs before other threads of the caller's priority.
static struct thread *end(const struct process *process, bool is_restart) {
    struct restart *row = kernel_restart_of(process);
    row->is_wanted = is_restart;
    row->life = RESTART_ENDS;
    row->termination = (struct resource){process->last, cancel_wait};
    kernel.current->waits_for = &row->termination;
    ignore_next(thread_wait(&row->callers, BULKHEAD_FOREVER));
    kernel_end_process(process->last);
    *kernel_idle.level = &kernel_idle;
    return thread_highest();
}

struct thread *process_restart(const struct process *process) {
    return end(process, true);
}

struct thread *process_end(const struct process *process) {
    return end(process, false);
}

struct thread *process_is_ended(const struct process *process) {
    const uint32_t life = kernel_restart_of(process)->life;
    if (life == RESTART_ENDED) {
        return NO_SWITCH;
    }
    return kernel_fail(life == RESTART_RUNS ? BULKHEAD_REFUSED : BULKHEAD_PEER_LOST);
}

struct thread *process_note(const struct process *process, struct arch_frame *frame) {
    struct restart *row = kernel_restart_of(process);
    const uint32_t former = row->note, mask = arch_second_argument(frame);
    row->note = (former & ~mask) | (arch_argument(frame) & mask);
    arch_set_value(frame, former);
    return NO_SWITCH;
}
