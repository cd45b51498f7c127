// SPDX-License-Identifier: MIT
//
// Priority inheritance. A thread has the priority of the client that it serves, otherwise its own,
// or a higher one of a thread that waits for a mutex that it holds or for its next answer. A thread
// that is terminated with its process loses the priority of its client, which might be lower. The
// leader of the termination inherits from a supervisor that waits for the end (options/restart.c).
//
// A change of one priority passes along the chain of threads that wait for each other. The chain
// may be as long as there are threads, so the walk along it stops after a thread if an interrupt is
// pending. The rest is deferred work (deferred.h) at the priority that is passed on: no thread
// below that priority runs before the walk is complete, and a thread above it waits for one step of
// the walk.
#include "objects.h"
#include "optional.h"

static uint32_t higher_mask(uint32_t mask, const struct thread *other) {
    return other != NULL && other->priority_mask > mask ? other->priority_mask : mask;
}

uint32_t thread_inherited_mask(const struct thread *thread) {
    const struct gate *gate = thread->declared->serves;
    const bool serves = thread->client != NULL && !(thread->state & THREAD_LOST);
    uint32_t mask = serves ? thread->client->priority_mask : thread->base_priority_mask;
    if (gate != NULL) {
        mask = higher_mask(mask, gate->callers.first);
    }
    mask = higher_mask(mask, restart_first_caller(thread));
    for (const struct mutex *each = thread->held; each != NULL; each = each->next_held) {
        mask = higher_mask(mask, each->waiters.first);
    }
    return mask;
}

struct thread *thread_waited_for(const struct thread *thread) {
    return thread->waits_for == NULL ? NULL : thread->waits_for->holder;
}

// Gives a thread the priority that it should have. Returns the next thread, which inherits from it;
// NULL if none does. In a circle of waiting threads the walk ends when it reaches a thread again,
// because the priority of this thread is right already.
static struct thread *step(struct thread *thread) {
    const uint32_t mask = thread_inherited_mask(thread);
    if (mask == thread->priority_mask) {
        return NULL;
    }
    thread_prioritise(thread, mask);
    return thread_waited_for(thread);
}

// --- Walks along a chain of locks and calls ------------------------------------------------------

#define THREAD_OF_WALK(member) \
    ((struct thread *)(void *)((char *)(member) - offsetof(struct thread, walk)))

// Returns the mask of the higher one of the present and the new priority of a thread. Until the
// walk is complete, a thread that loses a priority must not run at the lower one.
static uint32_t urgency(const struct thread *thread) {
    return higher_mask(thread_inherited_mask(thread), thread);
}

static uint32_t walk_urgency(const struct deferred *walk) {
    return urgency(THREAD_OF_WALK(walk));
}

// Returns whether the walk must stop before `thread`. A thread of a higher priority may be ready
// although no interrupt is pending: an interrupt has woken it just before a tick at which a wait
// times out.
static bool must_stop_before(const struct thread *thread) {
    return arch_interrupt_pending() || ready_has_above(&kernel.ready, urgency(thread));
}

// Passes a priority on to `next`.
static void walk(struct thread *next) {
    do {
        if (must_stop_before(next)) {
            deferred_add(&next->walk, &inherit_deferred_walk);
            return;
        }
        next = step(next);
    } while (next != NULL);
}

void thread_inherit(struct thread *thread) {
    struct thread *next = step(thread);
    if (unlikely(next != NULL)) {
        walk(next);
    }
}

void thread_lend(struct thread *thread, uint32_t mask) {
    if (mask <= thread->priority_mask) {
        return;
    }
    if (thread->state == 0) { // the thread waits for nothing
        thread_prioritise(thread, mask);
        return;
    }
    thread_prioritise(thread, mask);
    struct thread *next = thread_waited_for(thread);
    if (unlikely(next != NULL)) {
        walk(next);
    }
}

static void continue_walk(struct deferred *walk) {
    deferred_remove(walk);
    thread_inherit(THREAD_OF_WALK(walk));
}

const struct deferred_kind inherit_deferred_walk = {walk_urgency, continue_walk, NULL};

// --- Terminations --------------------------------------------------------------------------------

// Completes the termination of the process of `thread` before the caller runs again: the idle
// thread continues the termination. The caller then runs after threads of its priority, as after a
// yield.
struct thread *end_first(struct thread *thread, enum bulkhead_result result) {
    struct thread *leader = thread->process->last;
    struct thread *ending = leader->state & THREAD_LEADS ? leader : thread;
    struct thread *const next = kernel_fail(result);
    if (!(ending->state & THREAD_LOST)) {
        return next;
    }
    // This never lowers the priority: the caller is running, so no ready thread is above it.
    ending->base_priority_mask = kernel.current->priority_mask;
    thread_inherit(ending);
    *kernel_idle.level = &kernel_idle;
    return thread_highest();
}
