// SPDX-License-Identifier: MIT
//
// How threads and processes end, piece by piece: callers are told, mutexes pass on, memory goes
// back to what the image holds. Where an interrupt is pending between two pieces it comes first,
// and the rest is for deferred.c, at the priority of the thread that ends.
//
// Of a process that is ended the last thread leads. A part of its own end is to end the others,
// then to load the memory and to launch all of them, in the order of the declaration. It does so at
// the highest priority that is declared for any of them, or at that of a thread that asks for one
// of them (end_first), so that none runs meanwhile; but for one that has a higher one by
// inheritance, by a call or by set_priority, which goes on until its turn comes. None is started
// before all that is over.
//
// What the other processes see: threads that waited for a mutex of the ended ones get it, and are
// told (BULKHEAD_PEER_LOST); in the end the supervisor is notified. Counts and messages in kernel
// objects stay. Who calls a server that has ended, or starts a thread, while its process is still
// being ended is answered, but all of that comes first, at its priority: it may be above, and ask
// again and again.
#include "deferred.h"
#include "methods.h"

// One piece. False if nothing is left that another may wait for.
static bool give_up(struct thread *thread) {
    if (gate_abandon(thread)) {
        return true;
    }
    return mutex_give_back(thread);
}

static void end_alone(struct thread *thread) {
    if (!give_up(thread)) {
        thread_become_absent(thread);
    }
}

// --- Processes -----------------------------------------------------------------------------------

// Once: it begins to end. Then piece by piece, until it is the leader's turn to load memory.
static void end_other(struct thread *leader) {
    const struct process *process = leader->process;
    struct thread *other = leader->other;
    if (!(other->state & THREAD_ABSENT)) {
        thread_end(other, THREAD_LOST);
        thread_inherit(other); // a server that waits has the priority of its last client
    } else if (!give_up(other)) {
        leader->other = other->declared->next;
        if (other != leader) {
            thread_become_absent(other);
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
        thread_become_absent(leader);
        if (process->supervisor != NULL) {
            const decision told = thread_notify(process->supervisor);
            (void)told; // whoever ends a thread looks for the highest anyway
        }
    }
    if (process->restarts) {
        thread_launch(other, declared, declared->initially);
    }
}

// The next piece, whatever it is.
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

// If its process is under way already, it begins once more.
decision kernel_fault(void) {
    const struct process *process = kernel.process;
    struct thread *leader = process->last;
    if (!(leader->state & THREAD_LEADS)) {
        leader->base_bit = process->highest_bit;
    }
    thread_end(kernel.current, THREAD_LOST);
    thread_end(leader, THREAD_LOST | THREAD_LEADS);
    leader->other = process->first;
    const bool told = gate_abandon(leader); // first: a client that it serves would lower it
    (void)told;
    thread_inherit(leader);
    return end_go_on();
}

// Idle goes on with it, ahead of the caller, which is behind its equals then as after a yield.
decision end_first(const struct thread *thread, enum bulkhead_result result) {
    struct thread *leader = thread->process->last;
    const decision go_on = kernel_answer(result);
    if (!(leader->state & THREAD_LEADS)) {
        return go_on;
    }
    leader->base_bit = kernel.current->bit; // who runs is not below it
    thread_inherit(leader);
    *kernel_idle.level = &kernel_idle;
    return thread_highest();
}

// -------------------------------------------------------------------------------------------------

// A higher thread may be ready although no interrupt is pending: a fault that came on the way to
// it.
static bool may_go_on(const struct thread *first) {
    return first != NULL && !ready_has_above(&kernel.ready, first->bit) &&
           !arch_interrupt_pending();
}

decision end_go_on(void) {
    struct thread *first = kernel.ending.first;
    do {
        if (first->state & THREAD_LEADS) {
            end_leading(first);
        } else {
            end_alone(first);
        }
        first = kernel.ending.first;
    } while (may_go_on(first));
    deferred_prioritise();
    return thread_highest();
}
