// SPDX-License-Identifier: MIT
//
// Tests the invariants of waiting: each thread waits in the list and for the object that its state
// says, each contended mutex and each call has both its ends, each thread has the priority that it
// should inherit, no lower thread runs before a deferred walk, and a terminated thread holds
// nothing.
#include "checks.h"
#include "objects.h"
#include "optional.h"
#if KERNEL_HAS_LEASES
#include "options/lease.h"
#endif

// The state of a thread that has ended or is not started: exactly this bit.
static const uint32_t ENDED = THREAD_DORMANT;

// --- Lists ---------------------------------------------------------------------------------------

// Tests the ring of waiters of one priority. Returns whether `sought` is in it.
static bool check_equals(const struct wait_list *list, const struct thread *head,
                         const struct thread *sought) {
    const struct thread *each = head;
    uint32_t count = 0;
    bool is_found = false;
    do {
        CHECK(each->waits_in == list && each->priority_mask == head->priority_mask);
        CHECK(each->next == each || each->state & THREAD_EQUALS);
        CHECK(each->next->previous == each && each->previous->next == each);
        CHECK(++count <= kernel_thread_count);
        is_found |= each == sought;
        each = each->next;
    } while (each != head);
    return is_found;
}

// Tests the whole list. Returns whether `sought` waits in it.
static bool check_list(const struct wait_list *list, const struct thread *sought) {
    const struct thread *above = NULL;
    bool is_found = false;
    for (const struct thread *each = list->first; each != NULL; each = each->wait_lower) {
        CHECK(above == NULL || each->priority_mask < above->priority_mask);
        is_found |= check_equals(list, each, sought);
        above = each;
    }
    return is_found;
}

// --- Threads -------------------------------------------------------------------------------------

static void check_wait(const struct thread *thread) {
    CHECK(!(thread->state & THREAD_WAITS) == (thread->waits_in == NULL));
    CHECK(thread->waits_in == NULL || check_list(thread->waits_in, thread));
    CHECK(timer_armed(&thread->timer) == !!(thread->state & THREAD_TIMED));
    CHECK(thread->level == &kernel.ready.heads[arch_leading_zeroes(thread->priority_mask)]);
}

static void check_lock(const struct thread *thread) {
    for (const struct mutex *each = thread->held; each != NULL; each = each->next_held) {
        CHECK(each->resource.holder == thread && each->waiters.first != NULL);
    }
}

// Returns whether a thread waits in `list`. A resource is a member of a mutex, of a gate (the only
// gate of its server), or of the termination that a supervisor waits for.
static bool waits_in_list_of(const struct thread *thread, const struct resource *wanted) {
    const struct gate *gate = wanted->holder->declared->serves;
    if (wanted->cancel_wait == gate_cancel_wait) {
        return gate != NULL && wanted == &gate->resource && thread->waits_in == &gate->callers;
    }
    const struct thread *caller = restart_first_caller(wanted->holder);
    if (caller != NULL && caller->waits_in == thread->waits_in) {
        return true;
    }
    for (const struct mutex *each = wanted->holder->held; each != NULL; each = each->next_held) {
        if (wanted == &each->resource) {
            return thread->waits_in == &each->waiters;
        }
    }
    return false;
}

static void check_call(const struct thread *thread) {
    const struct resource *wanted = thread->waits_for;
    const struct thread *client = thread->client;
    const bool is_served = thread->state & THREAD_CALLS;
    CHECK(is_served == (wanted != NULL && wanted->holder->client == thread));
    CHECK(wanted == NULL || is_served || waits_in_list_of(thread, wanted));
    CHECK(client == NULL || client->waits_for == &thread->declared->serves->resource);
}

// Returns the thread at which a deferred walk of inherited priorities continues; NULL if the work
// is not a walk.
static const struct thread *walk_thread(const struct deferred *work) {
    const char *member = (const char *)work;
    return work->kind == &inherit_deferred_walk
               ? (const struct thread *)(const void *)(member - offsetof(struct thread, walk))
               : NULL;
}

// Returns whether a deferred walk (deferred.h) will still reach `thread`.
static bool is_still_to_inherit(const struct thread *thread) {
    for (const struct deferred *work = kernel.deferred; work != NULL; work = work->next) {
        const struct thread *each = walk_thread(work);
        for (uint32_t i = 0; each != NULL && i < kernel_thread_count; i++) {
            if (each == thread) {
                return true;
            }
            each = thread_waited_for(each);
        }
    }
    return false;
}

// Returns whether a deferred walk has not yet given `thread` its priority. Until the walk does, the
// idle thread has the higher one of the old and the new priority, so that no thread below it runs
// first (deferred.h).
static bool waits_for_walk(const struct thread *thread, uint32_t right) {
    return kernel_idle.priority_mask >= right && kernel_idle.priority_mask >= thread->priority_mask;
}

static void check_walks(void) {
    for (const struct deferred *work = kernel.deferred; work != NULL; work = work->next) {
        const struct thread *thread = walk_thread(work);
        // check_priority has already tested this thread.
        if (thread != NULL && !(thread->state & THREAD_RECEIVES)) {
            const uint32_t right = thread_inherited_mask(thread);
            CHECK(thread->priority_mask == right || waits_for_walk(thread, right));
        }
    }
}

// Tests the priority of a thread. A server that waits for a call keeps the priority of its last
// client (gate.inc).
static void check_priority(const struct thread *thread) {
    const uint32_t right = thread_inherited_mask(thread);
    CHECK(thread->priority_mask == right || thread->state & THREAD_RECEIVES ||
          is_still_to_inherit(thread));
}

static void check_ended(const struct thread *thread) {
    CHECK(thread->held == NULL && thread->client == NULL && thread->joiner.first == NULL);
    CHECK(thread->walk.kind == NULL);
    CHECK(thread->waits_in == NULL && thread->waits_for == NULL);
}

// Tests the lease of a thread. Only a thread that waits for a gate has a lease, so the lease of
// each client belongs to its call.
static void check_lease(const struct thread *thread) {
#if KERNEL_HAS_LEASES
    const struct resource *wanted = thread->waits_for;
    CHECK(kernel_leases[thread - kernel_threads].access == 0 ||
          (wanted != NULL && wanted->cancel_wait == gate_cancel_wait));
#else
    (void)thread;
#endif
}

static void check_thread(const struct thread *thread) {
    check_wait(thread);
    check_lock(thread);
    check_call(thread);
    check_lease(thread);
    if (thread->state == ENDED) {
        check_ended(thread);
        return;
    }
    check_priority(thread);
    CHECK(!(thread->state & THREAD_DORMANT) || thread->waits_in == &kernel.ending);
}

// --- Objects -------------------------------------------------------------------------------------

static bool is_held_by(const struct mutex *mutex, const struct thread *thread) {
    const struct mutex *each = thread->held;
    while (each != NULL && each != mutex) {
        each = each->next_held;
    }
    return each != NULL;
}

static void check_mutex(const struct mutex *mutex) {
    const struct thread *holder = mutex->resource.holder;
    CHECK((holder == NULL) == (mutex->waiters.first == NULL));
    if (holder != NULL) {
        CHECK(is_held_by(mutex, holder));
        CHECK(holder->state != ENDED && !(holder->state & THREAD_RELOADS));
    }
}

// Tests that no caller waits for a server that could serve it at once or will never serve again.
static void check_gate(const struct gate *gate) {
    const uint32_t state = gate->resource.holder->state;
    CHECK(gate->callers.first == NULL || (state != ENDED && !(state & THREAD_RECEIVES)));
}

void kernel_check_waits(void) {
    check_walks();
    for (uint32_t i = 0; i < kernel_thread_count; i++) {
        check_thread(&kernel_threads[i]);
        if (kernel_threads[i].declared->serves != NULL) {
            check_gate(kernel_threads[i].declared->serves);
        }
    }
    for (uint32_t i = 0; i < kernel_mutex_count; i++) {
        check_mutex(&kernel_mutexes[i]);
    }
}
