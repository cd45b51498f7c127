// SPDX-License-Identifier: MIT
//
// The termination of threads and processes, piece by piece: reports a fault, wakes callers, passes
// mutexes on, and loads memory from the image. Termination is deferred work (deferred.h) at the
// priority of the thread that ends. An interrupt that is pending between two pieces comes first.
//
// The last declared thread of a process, its leader, carries out the termination of the process. It
// terminates the other threads, then loads the memory and launches all threads, in the order of the
// declaration. The leader works at the highest of these priorities, so that no thread of the
// process runs meanwhile: the priorities that are declared for the threads of the process, the
// priority of a thread that calls or starts one of them (end_first), and that of a thread that
// waits for the end (options/restart.c). A thread whose priority is higher, by inheritance, by a
// call or by set_priority, runs until the leader terminates it. No thread of the process can be
// started before the termination is complete.
//
// Other processes see this: the first waiter of a mutex acquires it with BULKHEAD_PEER_LOST, and
// the supervisor is notified at the end. Counts and messages in kernel objects stay. A thread that
// calls a server of the process, or starts one of its threads, first completes the termination at
// its own priority, because such a thread may have a higher priority and ask again and again.
#include "methods.h"
#include "optional.h"

// --- Threads -------------------------------------------------------------------------------------

// Begins the termination of a thread: takes it out of every list and adds it to kernel.ending.
// `how` is 0 if the thread exits by itself; otherwise THREAD_LOST, with THREAD_LEADS or
// THREAD_FAULTED if the thread leads or has faulted. If the thread is already ending or has ended,
// its termination begins again.
static void begin(struct thread *thread, uint32_t how) {
    if (thread->state == 0) {
        ready_remove(&kernel.ready, thread); // a ready thread waits for nothing
    } else {
        thread_leave_waiting(thread);
    }
    thread->state = THREAD_DORMANT | THREAD_WAITS | how;
    if (how != 0) {
        thread_set_level(thread, thread_inherited_mask(thread));
    }
    wait_enter(&kernel.ending, thread);
    if (!(how & THREAD_FAULTED)) {
        thread->given_back = 0;
    }
    if (kernel.current == thread) {
        kernel_set_current(&kernel_no_thread);
        arch_fpu_forget();
    }
}

// Completes the termination of a thread: wakes the thread that waits for it in bulkhead_join.
static void become_dormant(struct thread *thread) {
    const bool lost = thread->state & THREAD_LOST;
    deferred_remove(&thread->walk);
    if (thread->waits_in != NULL) { // leaves kernel.ending
        wait_leave(thread);
    }
    thread->state = THREAD_DORMANT;
    if (thread->joiner.first != NULL) {
        ignore_next(thread_wake(thread->joiner.first, lost ? BULKHEAD_PEER_LOST : BULKHEAD_OK));
    }
}

// Does one piece of the termination of a thread. The piece is one of these: to report the fault of
// the thread; to wake the next waiter of the queue at which the thread was woken last, because the
// thread may not have repeated its call; to give up one thing that another thread may wait for.
// Returns false if nothing is left.
static __attribute__((noinline)) bool give_up(struct thread *thread) {
    if (thread->state & THREAD_FAULTED) {
        arch_fault_report(thread);
        record_fault(thread);
        trace_fault(thread);
        thread->state &= ~THREAD_FAULTED;
        thread->given_back = 0;
        return true;
    }
    if (thread->retries != NULL) {
        queue_cancel_wait(thread->retries);
        thread->retries = NULL;
        return true;
    }
    return gate_abort(thread) || mutex_give_back(thread);
}

static void lead_from_first(struct thread *leader) {
    leader->other = leader->process->first;
    leader->given_back = 0;
}

// Makes `leader` carry out the termination of its process, at the priority of `thread`. If the
// leader has faulted too, a separate piece of the termination reports this fault first.
static void lead(struct thread *leader, const struct thread *thread) {
    if (leader->state & THREAD_FAULTED) {
        (void)give_up(leader);
        return;
    }
    leader->base_priority_mask = thread->base_priority_mask;
    begin(leader, THREAD_LOST | THREAD_LEADS);
    lead_from_first(leader);
}

static void end_alone(struct thread *thread) {
    struct thread *leader = thread->process->last;
    const bool is_reported = (thread->state & (THREAD_LOST | THREAD_FAULTED)) == THREAD_LOST;
    if (is_reported && !(leader->state & THREAD_LEADS)) {
        lead(leader, thread);
    } else if (!give_up(thread)) {
        become_dormant(thread);
    }
}

// --- Processes -----------------------------------------------------------------------------------

// Does the next piece of the termination of the other threads of a process and of its leader. After
// the last piece, the leader loads the memory.
static void end_other(struct thread *leader) {
    const struct process *process = leader->process;
    struct thread *other = leader->other;
    if (!(other->state & THREAD_DORMANT)) {
        begin(other, THREAD_LOST);
    } else if (!give_up(other)) {
        leader->other = other->declared->next;
        if (other != leader) {
            become_dormant(other);
        } else {
            leader->state |= THREAD_RELOADS;
            leader->other = process->first;
            leader->to_load =
                restart_is_wanted(process) ? process->memory.start : process->memory.end;
        }
    }
}

static void launch_other(struct thread *leader) {
    const struct process *process = leader->process;
    struct thread *other = leader->other;
    const struct thread_declaration *declared = other->declared;
    if (restart_is_wanted(process) && !(leader->state & THREAD_REWOUND)) {
        thread_rewind(other, declared);
        leader->state |= THREAD_REWOUND;
        return;
    }
    leader->state &= ~THREAD_REWOUND;
    leader->other = declared->next;
    if (other == leader) {
        become_dormant(leader);
        if (process->supervisor != NULL) {
            ignore_next(thread_notify(process->supervisor));
        }
    }
    if (restart_is_wanted(process)) {
        thread_launch(other, declared, declared->initially);
    }
    if (other == leader) {
        restart_complete(process);
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

// --- Pieces of a termination ---------------------------------------------------------------------

// Returns whether the termination may continue before the next thread runs. A thread of a higher
// priority may be ready although no interrupt is pending, if the fault came during the switch to
// that thread.
static bool may_go_on(const struct thread *first) {
    return first != NULL && !ready_has_above(&kernel.ready, first->priority_mask) &&
           !arch_interrupt_pending();
}

// Continues the terminations in kernel.ending, the highest priority first, as long as may_go_on
// allows. Returns whether a termination is left.
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

// Leaves all pieces to the idle thread, so that no interrupt waits for the beginning of the
// termination and for a piece.
static void end_soon(void) {
    deferred_add(&kernel.endings, &deferred_ends);
}

// --- Beginnings of a termination -----------------------------------------------------------------

struct thread *self_exit(void) {
    begin(kernel.current, 0);
    end_soon();
    return ready_highest(&kernel.ready);
}

// Terminates the process of the current thread after a fault. The report and the work of the leader
// are later pieces. If the process is being terminated already, its termination begins again.
void kernel_fault(void) {
    struct thread *thread = kernel.current;
    struct thread *leader = thread->process->last;
    thread->base_priority_mask = thread->process->highest_priority_mask;
    restart_forget(thread->process);
    if (leader->state & THREAD_LEADS) {
        leader->state &= ~(THREAD_RELOADS | THREAD_REWOUND);
        lead_from_first(leader);
    }
    begin(thread, THREAD_LOST | THREAD_FAULTED);
    end_soon();
}

// Begins the termination of a process. If the leader has faulted, it first reports the fault.
void kernel_end_process(struct thread *leader) {
    leader->base_priority_mask = leader->process->highest_priority_mask;
    if (leader->state & THREAD_FAULTED) {
        thread_inherit(leader);
    } else {
        begin(leader, THREAD_LOST | THREAD_LEADS);
        lead_from_first(leader);
    }
    end_soon();
}
