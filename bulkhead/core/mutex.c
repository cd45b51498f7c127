// SPDX-License-Identifier: MIT
//
// Mutexes with priority inheritance.
//
// While no thread waits, a mutex is one word: the identity of its holder. The first thread that
// waits makes the mutex contended. Then the kernel's member `holder` decides, whatever a process
// writes into the word, and the holder inherits the highest priority of all waiters of its mutexes.
// A contended mutex passes to its first waiter.
//
// A process that overwrites the words of its own mutexes may make its own threads wait for ever. It
// cannot make the kernel put a thread of another process into the lists of its mutexes.
#include "methods.h"
#include "optional.h"
#include "short_cuts.h"

// --- Holders of mutexes --------------------------------------------------------------------------

static void start_holding(struct mutex *mutex, struct thread *thread) {
    mutex->resource.holder = thread;
    mutex->next_held = thread->held;
    thread->held = mutex;
    gate_use_slow_path(thread);
}

static void stop_holding(struct mutex *mutex) {
    struct mutex **link = &mutex->resource.holder->held;
    while (*link != mutex) {
        link = &(*link)->next_held;
    }
    *link = mutex->next_held;
    mutex->resource.holder = NULL;
}

// --- Passing a mutex to a waiter -----------------------------------------------------------------

static void mark(struct mutex *mutex) {
    *mutex->word = thread_identity(mutex->resource.holder) | BULKHEAD_MUTEX_WAITED;
}

#define MUTEX_OF_RESOURCE(member) \
    ((struct mutex *)(void *)((char *)(member) - offsetof(struct mutex, resource)))

void mutex_cancel_wait(struct resource *resource, struct thread *waiter) {
    struct mutex *mutex = MUTEX_OF_RESOURCE(resource);
    (void)waiter;
    struct thread *holder = mutex->resource.holder;
    if (holder == NULL) {
        return;
    }
    if (mutex->waiters.first == NULL) {
        *mutex->word = thread_identity(holder);
        stop_holding(mutex);
    }
    thread_inherit(holder);
}

// Records the new holder of a mutex that the former holder handed to a waiter. Usually no other
// thread waits then, and the mutex is one word again.
static void name_holder(struct mutex *mutex, struct thread *holder) {
    if (mutex->waiters.first != NULL) {
        start_holding(mutex, holder);
        mark(mutex);
    } else {
        *mutex->word = thread_identity(holder);
    }
}

// Makes the first waiter the holder of the mutex and wakes it. `former`, the holder until now,
// first loses the priority that it inherited, so that the woken thread is commonly the first of its
// level.
static void pass_on(struct mutex *mutex, struct thread *former) {
    struct thread *next = mutex->waiters.first;
    thread_inherit(former);
    next->waits_for = NULL;
    ignore_next(thread_wake_first(&mutex->waiters));
    name_holder(mutex, next);
}

// Releases the next mutex that `thread` holds and that is not contended. Only the word of such a
// mutex names its holder.
static void give_back_next(struct thread *thread) {
    const struct mutex *mutex = &kernel_mutexes[thread->given_back++];
    if (mutex->resource.holder == NULL && *mutex->word == thread_identity(thread)) {
        *mutex->word = BULKHEAD_MUTEX_FREE;
    }
}

bool mutex_give_back(struct thread *thread) {
    if (thread->held != NULL) {
        const struct thread *next = thread->held->waiters.first;
        arch_set_result(arch_context_frame(&next->context), BULKHEAD_PEER_LOST);
        struct mutex *held = thread->held;
        stop_holding(held);
        pass_on(held, thread);
        return true;
    }
    if (thread->given_back == kernel_mutex_count) {
        return false;
    }
    give_back_next(thread);
    return true;
}

// --- Calls ---------------------------------------------------------------------------------------

// Returns the thread that the word of a mutex names, or NULL if that thread cannot hold this mutex:
// a process may write anything into the word of its own mutex. A thread that is being terminated
// holds its mutexes until it has released all of them, which is before its process is reloaded.
static struct thread *named_holder(const struct mutex *mutex, uint32_t word) {
    const uint32_t offset = (word & ~BULKHEAD_MUTEX_WAITED) - thread_identity(kernel_threads);
    struct thread *named = (struct thread *)(void *)((char *)kernel_threads + offset);
    if (mutex->process == NULL) {
        return named; // only the kernel writes this word, so it is valid
    }
    if (offset >= kernel_thread_count * sizeof(struct thread) ||
        offset % sizeof(struct thread) != 0) {
        return NULL;
    }
    const bool ours = mutex->process == named->process;
    const bool has_released = named->state == THREAD_DORMANT || named->state & THREAD_RELOADS;
    return ours && !has_released ? named : NULL;
}

// Puts the holder into the ready queue at the position of the caller, which shares its priority
// with no ready thread.
static struct thread *lend_place(struct thread *self, struct thread *holder) {
    ready_remove(&kernel.ready, holder);
    holder->level = self->level;
    holder->priority_mask = self->priority_mask;
    *holder->level = holder;
    return holder;
}

// Blocks the caller as the rest of `block` does, in fewer steps, if it is the first waiter of a
// mutex whose holder is ready. Returns the thread that runs next: another ready thread of the
// caller's priority if there is one, otherwise the holder or the next ready thread.
static struct thread *block_first(struct wait_list *waiters, struct thread *holder) {
    struct thread *self = kernel.current;
    const bool lends = holder->priority_mask < self->priority_mask;
    self->state = THREAD_WAITS;
    wait_enter_empty(waiters, self);
    if (lends && self->next == self) {
        return lend_place(self, holder);
    }
    struct thread *const next = ready_remove_head(&kernel.ready, self);
    if (lends) {
        thread_move_ready(holder, self->priority_mask);
    }
    return next;
}

static struct thread *block(struct mutex *mutex, uint32_t timeout_ticks) {
    struct thread *self = kernel.current;
    struct thread *holder = mutex->resource.holder;
    self->waits_for = &mutex->resource;
    mark(mutex);
    if (HAS_SHORT_CUTS && mutex->waiters.first == NULL && !timer_can_wait(timeout_ticks) &&
        holder->state == 0) {
        return block_first(&mutex->waiters, holder);
    }
    // The switch is decided below: the holder may have a higher priority than that thread now.
    ignore_next(thread_wait(&mutex->waiters, timeout_ticks));
    thread_lend(holder, self->priority_mask);
    return ready_highest(&kernel.ready);
}

static struct thread *lock_taken(struct mutex *mutex, uint32_t timeout_ticks) {
    struct thread *holder =
        mutex->resource.holder != NULL ? mutex->resource.holder : named_holder(mutex, *mutex->word);
    if (holder == NULL || holder == kernel.current) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    if (timeout_ticks == BULKHEAD_NO_WAIT) {
        return kernel_fail(BULKHEAD_TIMED_OUT);
    }
    if (mutex->resource.holder == NULL) {
        start_holding(mutex, holder);
    }
    return block(mutex, timeout_ticks);
}

struct thread *mutex_lock(struct mutex *mutex, struct arch_frame *frame) {
    if (*mutex->word != BULKHEAD_MUTEX_FREE || mutex->resource.holder != NULL) {
        return lock_taken(mutex, arch_argument(frame));
    }
    *mutex->word = thread_identity(kernel.current);
    return NO_SWITCH;
}

// Returns whether `next`, the first waiter, may take the position of the caller in the ready queue:
// no other ready thread has the priority of the caller, and `next` has no timeout and is not
// suspended. unlock_contended also tests that the caller has its priority from `next`.
static bool may_take_place(const struct thread *self, const struct thread *next) {
    return self->next == self && (next->state & ~THREAD_EQUALS) == THREAD_WAITS;
}

// Returns the same as thread_inherited_mask, in fewer steps for a thread that inherits nothing.
static inline uint32_t inherited_mask(const struct thread *thread) {
    const bool inherits = thread->held != NULL || thread->client != NULL ||
                          thread->declared->serves != NULL || restart_first_caller(thread) != NULL;
    return inherits ? thread_inherited_mask(thread) : thread->base_priority_mask;
}

// Does the same as pass_on, in fewer steps: the first waiter takes the position of the caller in
// the ready queue, and the caller gets the priority of `mask`.
static struct thread *pass_with_place(struct mutex *mutex, struct thread *self, uint32_t mask) {
    struct thread *next = mutex->waiters.first;
    wait_leave_first(&mutex->waiters, next);
    next->waits_for = NULL;
    next->state = 0;
    name_holder(mutex, next);
    *self->level = next;
    thread_set_level(self, mask);
    ready_add_below(&kernel.ready, self);
    return next;
}

static struct thread *unlock_contended(struct mutex *mutex) {
    struct thread *self = kernel.current;
    const struct thread *next = mutex->waiters.first;
    if (mutex->resource.holder != self) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    stop_holding(mutex);
    if (HAS_SHORT_CUTS && may_take_place(self, next)) {
        const uint32_t mask = inherited_mask(self);
        if (mask < next->priority_mask) { // `next` had raised the priority of the caller
            return pass_with_place(mutex, self, mask);
        }
    }
    pass_on(mutex, self);
    return thread_highest_or_caller();
}

struct thread *mutex_unlock(struct mutex *mutex) {
    if (mutex->resource.holder != NULL) {
        return unlock_contended(mutex);
    }
    if (*mutex->word != thread_identity(kernel.current)) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    *mutex->word = BULKHEAD_MUTEX_FREE;
    return NO_SWITCH;
}
