// SPDX-License-Identifier: MIT
//
// Semaphores of all nodes, in global memory, each under the lock cell of its number.
//
// As few accesses as can be, for each costs the other nodes the latency of the bus: a take or give
// that meets nobody reads the cell and one word. Interrupts are off while a cell is held, so its
// holder is never away. The order is what keeps wake-ups from being lost: a thread is in the
// semaphore's queue before the cell is freed, and a bit that is rung before it has left its ready
// queue is still there afterwards, for the node looks at its bits only when it has left the call.
#include "levels.h"
#include "semi.h"

// The state of a semaphore: its count; or, with WAITED, bit n says that threads of level n wait.
// Levels are 0 … 30, so bit 31 is free.
#define WAITED (1u << 31)

// Threads that wait at one level, first in first out: the table places of the first and the last,
// and for each thread the one behind it.
#define FIFO(first, last) ((first) | (last) << 8)
#define FIFO_FIRST(fifo) ((fifo)&0xff)
#define FIFO_LAST(fifo) ((fifo) >> 8)

struct shared {
    uint32_t state[NODES_SEMAPHORES];
    uint32_t fifo[NODES_SEMAPHORES][LEVELS];
    uint32_t behind[NODES_MAX_TASKS];
};

static volatile struct shared *const shared = (volatile struct shared *)GLOBAL_MEMORY;

static void lock(uint32_t semaphore) {
    while (LOCK(semaphore)) {
    }
}

static void unlock(uint32_t semaphore) {
    LOCK(semaphore) = 0;
}

// Puts a thread at the end of its level's fifo; returns the state with its level in it.
static uint32_t enqueue(uint32_t semaphore, uint32_t state, const struct thread *thread) {
    const uint32_t me = (uint32_t)(thread - threads), level = thread->level;
    volatile uint32_t *fifo = &shared->fifo[semaphore][level];
    uint32_t first = me;
    if (state >> level & 1) {
        const uint32_t old = *fifo;
        first = FIFO_FIRST(old);
        shared->behind[FIFO_LAST(old)] = me;
    }
    *fifo = FIFO(first, me);
    return state | 1u << level | WAITED;
}

// Takes the first thread off the most urgent level; its place is in `*first`. Returns the state
// without it.
static uint32_t dequeue(uint32_t semaphore, uint32_t state, uint32_t *first) {
    const uint32_t level = levels_lowest(state);
    volatile uint32_t *place = &shared->fifo[semaphore][level];
    const uint32_t fifo = *place;
    *first = FIFO_FIRST(fifo);
    if (*first != FIFO_LAST(fifo)) {
        *place = FIFO(shared->behind[*first], FIFO_LAST(fifo));
        return state;
    }
    const uint32_t rest = state & ~(1u << level);
    return rest == WAITED ? 0 : rest;
}

static struct thread *take(uint32_t semaphore, uint32_t two, struct thread *self) {
    (void)two;
    if (semaphore >= NODES_SEMAPHORES) {
        self->a[0] = NODES_ARGUMENT;
        return self;
    }
    self->a[0] = NODES_OK;
    lock(semaphore);
    const uint32_t state = shared->state[semaphore];
    const bool taken = (int32_t)state > 0;
    shared->state[semaphore] = taken ? state - 1 : enqueue(semaphore, state, self);
    unlock(semaphore);
    return taken ? self : semi_block(self);
}

static struct thread *give(uint32_t semaphore, uint32_t two, struct thread *self) {
    (void)two;
    if (semaphore >= NODES_SEMAPHORES) {
        self->a[0] = NODES_ARGUMENT;
        return self;
    }
    self->a[0] = NODES_OK;
    lock(semaphore);
    const uint32_t state = shared->state[semaphore];
    if (state & WAITED) {
        uint32_t first;
        shared->state[semaphore] = dequeue(semaphore, state, &first);
        unlock(semaphore);
        return semi_wake(&threads[first], self);
    }
    if (state == NODES_COUNT_MAX) {
        self->a[0] = NODES_FULL;
    } else {
        shared->state[semaphore] = state + 1;
    }
    unlock(semaphore);
    return self;
}

static struct thread *init(uint32_t semaphore, uint32_t count, struct thread *self) {
    if (semaphore >= NODES_SEMAPHORES || count > NODES_COUNT_MAX) {
        self->a[0] = NODES_ARGUMENT;
        return self;
    }
    lock(semaphore);
    const bool waited = shared->state[semaphore] & WAITED;
    if (!waited) {
        shared->state[semaphore] = count;
    }
    unlock(semaphore);
    self->a[0] = waited ? NODES_BUSY : NODES_OK;
    return self;
}

void semi_semaphores_boot(void) {
    for (uint32_t i = 0; nodes_self == 0 && i < NODES_SEMAPHORES; i++) {
        shared->state[i] = 0;
    }
    calls[NODES_CALL_TAKE] = take;
    calls[NODES_CALL_GIVE] = give;
    calls[NODES_CALL_INIT] = init;
}
