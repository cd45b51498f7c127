// SPDX-License-Identifier: MIT
//
// The termination of threads and processes, piece by piece: wakes callers, passes mutexes on, and
// loads memory from the image. If an interrupt is pending between two pieces, the interrupt comes
// first, and the rest is deferred work (deferred.h) at the priority of the thread that ends.
//
// The last declared thread of a process, its leader, carries out the termination of the process. It
// terminates the other threads, then loads the memory and launches all threads, in the order of the
// declaration. It does so at the highest priority that is declared for any of them, or at that of a
// thread that asks for one of them (inherit.c), so that none of them runs meanwhile. A thread with
// a higher priority, by inheritance, by a call or by set_priority, runs until its turn comes. No
// thread of the process can be started before the termination is complete.
//
// Other processes see this: the first waiter of a mutex acquires it with BULKHEAD_PEER_LOST, and
// the supervisor is notified at the end. Counts and messages in kernel objects stay. A thread that
// calls a server of the process, or starts one of its threads, first completes the termination at
// its own priority: it may have a higher priority, and ask again and again.
#include "methods.h"

// --- Threads -------------------------------------------------------------------------------------

// Begins the termination of a thread: takes it out of every list and adds it to kernel.ending.
// `how`: THREAD_LOST and THREAD_LEADS, or 0. The termination of a thread that is ending, or has
// ended, begins again.
static void begin(struct thread *thread, uint32_t how) {
    if (thread->state == 0) {
        thread_stop(thread, THREAD_DORMANT); // a ready thread waits for nothing
    } else {
        thread_leave_waiting(thread);
    }
    wait_enter(&kernel.ending, thread);
    thread->state = THREAD_DORMANT | THREAD_WAITS | how;
    thread->given_back = 0;
    if (kernel.current == thread) {
        kernel_set_current(&kernel_no_thread);
        arch_fpu_forget();
    }
}

// Completes the termination of a thread: wakes the thread that joined it.
static void become_dormant(struct thread *thread) {
    const bool lost = thread->state & THREAD_LOST;
    deferred_remove(&thread->walk);
    thread_leave_waiting(thread);
    thread->state = THREAD_DORMANT;
    if (thread->joiner.first != NULL) {
        ignore_next(thread_wake(thread->joiner.first, lost ? BULKHEAD_PEER_LOST : BULKHEAD_OK));
    }
}

// Does one piece. Returns false if nothing is left that another thread may wait for.
static bool give_up(struct thread *thread) {
    if (gate_abort(thread)) {
        return true;
    }
    return mutex_give_back(thread);
}

static void end_alone(struct thread *thread) {
    if (!give_up(thread)) {
        become_dormant(thread);
    }
}

// --- Processes -----------------------------------------------------------------------------------

// Does the next piece of the termination of the other threads, and of the leader, until the leader
// is to load the memory.
static void end_other(struct thread *leader) {
    const struct process *process = leader->process;
    struct thread *other = leader->other;
    if (!(other->state & THREAD_DORMANT)) {
        begin(other, THREAD_LOST);
        thread_inherit(other); // a server that waits still has the priority of its last client
    } else if (!give_up(other)) {
        leader->other = other->declared->next;
        if (other != leader) {
            become_dormant(other);
        } else {
            leader->state |= THREAD_RELOADS;
            leader->other = process->first;
            leader->to_load = process->restarts ? process->memory.start : process->memory.end;
        }
    }
}

static void launch_other(struct thread *leader) {
    const struct process *process = leader->process;
    struct thread *other = leader->other;
    const struct thread_declaration *declared = other->declared;
    leader->other = declared->next;
    if (other == leader) {
        become_dormant(leader);
        if (process->supervisor != NULL) {
            ignore_next(thread_notify(process->supervisor));
        }
    }
    if (process->restarts) {
        thread_launch(other, declared, declared->initially);
    }
}

// Does the next piece of the termination of a process.
static void end_leading(struct thread *leader) {
    const struct process_memory *memory = &leader->process->memory;
    if (!(leader->state & THREAD_RELOADS)) {
        end_other(leader);
    } else if (leader->to_load != memory->end) {
        leader->to_load = process_load(memory, leader->to_load);
    } else {
        launch_other(leader);
    }
}

// --- Pieces --------------------------------------------------------------------------------------

// A higher thread may be ready although no interrupt is pending, if the fault came during the
// switch to it.
static bool may_go_on(const struct thread *first) {
    return first != NULL && !ready_has_above(&kernel.ready, first->priority_mask) &&
           !arch_interrupt_pending();
}

// Continues the termination of the highest priority in kernel.ending until an interrupt is pending.
// Returns whether a termination is left.
static bool end_pieces(void) {
    struct thread *first = kernel.ending.first;
    do {
        if (first->state & THREAD_LEADS) {
            end_leading(first);
        } else {
            end_alone(first);
        }
        first = kernel.ending.first;
    } while (may_go_on(first));
    return first != NULL;
}

static uint32_t urgency(const struct deferred *work) {
    const struct thread *first = kernel.ending.first;
    (void)work;
    return first == NULL ? 0 : first->priority_mask;
}

static void proceed(struct deferred *work) {
    if (!end_pieces()) {
        deferred_remove(work);
    }
}

static const struct deferred_kind deferred_ends = {urgency, proceed, NULL};

static struct thread *end_now(void) {
    if (!may_go_on(kernel.ending.first) || end_pieces()) {
        deferred_add(&kernel.endings, &deferred_ends);
    } else {
        deferred_remove(&kernel.endings);
        deferred_prioritise();
    }
    return thread_highest();
}

// --- Beginnings ----------------------------------------------------------------------------------

struct thread *self_exit(void) {
    begin(kernel.current, 0);
    return end_now();
}

// If the process is being terminated already, its termination begins again.
struct thread *kernel_fault(void) {
    const struct process *process = kernel.process;
    struct thread *leader = process->last;
    if (!(leader->state & THREAD_LEADS)) {
        leader->base_priority_mask = process->highest_priority_mask;
    }
    begin(kernel.current, THREAD_LOST);
    begin(leader, THREAD_LOST | THREAD_LEADS);
    leader->other = process->first;
    const bool told = gate_abort(leader); // first, because its client could lower its priority
    (void)told;
    thread_inherit(leader);
    return end_now();
}
