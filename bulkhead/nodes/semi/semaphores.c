// SPDX-License-Identifier: MIT
//
// Semaphores of all nodes, in global memory, each under the lock cell of its number.
//
// The code makes as few accesses as possible, because each costs the latency of the bus: a take or
// give that finds no waiting thread, or one, accesses the cell and one word. Interrupts are off
// while a cell is held, so its holder always runs. Each ring of a bit ends one wait: a thread is in
// the semaphore's queue before the cell is released. If the bit is rung before the thread has left
// its ready queue, the bit stays set, because a node reads its bits only later: when no thread is
// ready, or in an interrupt.
#include "semi.h"
#include "shared_queue.h"

// The state of a semaphore has one of three forms. If no thread waits, it is the count. If one
// thread waits, it is ALONE and all that is needed to wake this thread. If several threads wait, it
// is MANY, and the queue `waiting` of the semaphore names them.
#define ALONE (1u << 30)
#define MANY (1u << 31)
#define PLACE_SHIFT (NODES_MAX > 4 ? 20 : 18)
#define WAITER(thread)                                                                   \
    (ALONE | (uint32_t)(thread)->place << PLACE_SHIFT | (uint32_t)(thread)->node << 16 | \
     (thread)->level << 8 | (thread)->index)
#define WAITER_INDEX(state) ((state) & 0xff)
#define WAITER_LEVEL(state) ((state) >> 8 & 31)
#define WAITER_NODE(state) ((state) >> 16 & (NODES_MAX - 1))
#define WAITER_PLACE(state) ((state) >> PLACE_SHIFT & 31)

struct shared {
    uint32_t state[NODES_SEMAPHORES];
    struct shared_queue waiting[NODES_SEMAPHORES]; // the queues contain indices of threads
    uint32_t following[NODES_MAX_TASKS];
};

_Static_assert(sizeof(struct shared) <= GLOBAL_BUS_OFFSET, "the bus follows");

static volatile struct shared *const shared = (volatile struct shared *)GLOBAL_MEMORY;

static void append(uint32_t semaphore, uint32_t levels, uint32_t level, uint32_t index) {
    shared_append(&shared->waiting[semaphore], shared->following, levels, level, index);
}

// Adds the calling thread to the threads that wait.
static void join(uint32_t semaphore, uint32_t state, const struct thread *thread) {
    uint32_t levels = 0;
    if (state == MANY) {
        levels = shared->waiting[semaphore].levels;
    } else {
        append(semaphore, 0, WAITER_LEVEL(state), WAITER_INDEX(state));
        levels = 1u << WAITER_LEVEL(state);
        shared->state[semaphore] = MANY;
    }
    append(semaphore, levels, thread->level, thread->index);
}

// Removes the first thread of the most urgent level. Returns its index.
static uint32_t leave(uint32_t semaphore) {
    volatile struct shared_queue *waiting = &shared->waiting[semaphore];
    const uint32_t levels = waiting->levels;
    uint32_t first;
    if (!shared_take(waiting, shared->following, levels, levels_lowest(levels), &first)) {
        shared->state[semaphore] = 0;
    }
    return first;
}

static struct thread *take(uint32_t semaphore, struct thread *self, uint32_t call) {
    (void)call;
    if (semaphore >= NODES_SEMAPHORES) {
        return finish(self, NODES_ARGUMENT);
    }
    self->a[0] = NODES_OK;
    cell_lock(semaphore);
    const uint32_t state = shared->state[semaphore];
    if (state - 1 < NODES_COUNT_MAX) {
        shared->state[semaphore] = state - 1;
        cell_unlock(semaphore);
        return self;
    }
    if (state == 0) {
        shared->state[semaphore] = WAITER(self);
    } else {
        join(semaphore, state, self);
    }
    cell_unlock(semaphore);
    return semi_block(self);
}

// Adds to the count of a semaphore. The caller holds the lock cell, and no thread waits.
static enum nodes_result add(uint32_t semaphore, uint32_t count) {
    if (count == NODES_COUNT_MAX) {
        return NODES_FULL;
    }
    shared->state[semaphore] = count + 1;
    return NODES_OK;
}

// Gives a semaphore for which not exactly one thread waits. The caller holds the lock cell. Not
// inlined, so that waking a lone thread saves no registers for it.
__attribute__((noinline)) static struct thread *
add_or_wake_first(uint32_t semaphore, struct thread *self, uint32_t state) {
    struct thread *next = self;
    if (state == MANY) {
        next = semi_wake(&threads[leave(semaphore)], self);
    } else {
        self->a[0] = add(semaphore, state);
    }
    cell_unlock(semaphore);
    return next;
}

// Gives a semaphore. If a thread of another node waits alone, wakes it before anything else, so
// that it need not wait for the rest of this function.
static struct thread *give(uint32_t semaphore, struct thread *self, uint32_t call) {
    (void)call;
    if (semaphore >= NODES_SEMAPHORES) {
        return finish(self, NODES_ARGUMENT);
    }
    self->a[0] = NODES_OK;
    cell_lock(semaphore);
    const uint32_t state = shared->state[semaphore];
    if (!(state & ALONE)) {
        return add_or_wake_first(semaphore, self, state);
    }
    const bool here = WAITER_NODE(state) == nodes_self;
    if (!here) {
        RING_BITS(WAITER_NODE(state)) = 1u << WAITER_PLACE(state);
    }
    shared->state[semaphore] = 0;
    cell_unlock(semaphore);
    return here ? semi_ready(&threads[WAITER_INDEX(state)]) : self;
}

static struct thread *init(uint32_t argument, struct thread *self, uint32_t call) {
    (void)call;
    const uint32_t semaphore = NODES_INIT_SEMAPHORE(argument), count = NODES_INIT_COUNT(argument);
    if (semaphore >= NODES_SEMAPHORES || count > NODES_COUNT_MAX) {
        return finish(self, NODES_ARGUMENT);
    }
    cell_lock(semaphore);
    const bool waited = shared->state[semaphore] > NODES_COUNT_MAX;
    if (!waited) {
        shared->state[semaphore] = count;
    }
    cell_unlock(semaphore);
    return finish(self, waited ? NODES_BUSY : NODES_OK);
}

void semi_semaphores_boot(void) {
    for (uint32_t i = 0; nodes_self == 0 && i < NODES_SEMAPHORES; i++) {
        shared->state[i] = 0;
    }
    calls[NODES_CALL_TAKE] = take;
    calls[NODES_CALL_GIVE] = give;
    calls[NODES_CALL_SIGNAL] = give;
    calls[NODES_CALL_INIT] = init;
}
