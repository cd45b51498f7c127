// SPDX-License-Identifier: MIT
//
// Semaphores of all nodes, in global memory, each under the lock cell of its number.
//
// As few accesses as can be, for each costs the other nodes the latency of the bus: a take or give
// that meets nobody, or one waiting thread, reads the cell and one word. Interrupts are off while a
// cell is held, so its holder is never away. Each ring answers one wait: a thread is in the
// semaphore's queue before the cell is freed, and if its bit is rung before it has left its ready
// queue, the bit is still there afterwards, for a node looks at its bits only at the end of a call.
#include "levels.h"
#include "semi.h"

// The state of a semaphore is its count, or a thread that waits alone, or MANY: then `levels` and
// `fifo` tell which.
#define ALONE (1u << 30)
#define MANY (1u << 31)
#define WAITER(thread) (ALONE | (thread)->level << 8 | (thread)->index)
#define WAITER_INDEX(state) ((state)&0xff)
#define WAITER_LEVEL(state) ((state) >> 8 & 31)

// Threads that wait at one level, first in first out: the indices of the first and the last, and
// for each thread the one behind it.
#define FIFO(first, last) ((first) | (last) << 8)
#define FIFO_FIRST(fifo) ((fifo)&0xff)
#define FIFO_LAST(fifo) ((fifo) >> 8)

struct shared {
    uint32_t state[NODES_SEMAPHORES];
    uint32_t levels[NODES_SEMAPHORES]; // bit n: threads of level n wait
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

// Puts a thread behind those of its level; returns `levels` with it.
static uint32_t enqueue(uint32_t semaphore, uint32_t levels, uint32_t level, uint32_t index) {
    volatile uint32_t *fifo = &shared->fifo[semaphore][level];
    uint32_t first = index;
    if (levels >> level & 1) {
        const uint32_t old = *fifo;
        first = FIFO_FIRST(old);
        shared->behind[FIFO_LAST(old)] = index;
    }
    *fifo = FIFO(first, index);
    return levels | 1u << level;
}

// The thread at hand joins those that wait.
static void join(uint32_t semaphore, uint32_t state, const struct thread *thread) {
    uint32_t levels;
    if (state == MANY) {
        levels = shared->levels[semaphore];
    } else {
        levels = enqueue(semaphore, 0, WAITER_LEVEL(state), WAITER_INDEX(state));
        shared->state[semaphore] = MANY;
    }
    shared->levels[semaphore] = enqueue(semaphore, levels, thread->level, thread->index);
}

// Takes the first thread of the most urgent level out; returns its index.
static uint32_t leave(uint32_t semaphore) {
    const uint32_t levels = shared->levels[semaphore], level = levels_lowest(levels);
    volatile uint32_t *place = &shared->fifo[semaphore][level];
    const uint32_t fifo = *place, first = FIFO_FIRST(fifo);
    if (first != FIFO_LAST(fifo)) {
        *place = FIFO(shared->behind[first], FIFO_LAST(fifo));
        return first;
    }
    const uint32_t rest = levels & ~(1u << level);
    shared->levels[semaphore] = rest;
    if (!rest) {
        shared->state[semaphore] = 0;
    }
    return first;
}

static struct thread *refuse(struct thread *self) {
    self->a[0] = NODES_ARGUMENT;
    return self;
}

static struct thread *take(uint32_t semaphore, struct thread *self, uint32_t call) {
    (void)call;
    if (semaphore >= NODES_SEMAPHORES) {
        return refuse(self);
    }
    self->a[0] = NODES_OK;
    lock(semaphore);
    const uint32_t state = shared->state[semaphore];
    if (state - 1 < NODES_COUNT_MAX) {
        shared->state[semaphore] = state - 1;
        unlock(semaphore);
        return self;
    }
    if (state == 0) {
        shared->state[semaphore] = WAITER(self);
    } else {
        join(semaphore, state, self);
    }
    unlock(semaphore);
    return semi_block(self);
}

// Nobody waits.
static enum nodes_result add(uint32_t semaphore, uint32_t count) {
    const bool full = count == NODES_COUNT_MAX;
    if (!full) {
        shared->state[semaphore] = count + 1;
    }
    unlock(semaphore);
    return full ? NODES_FULL : NODES_OK;
}

// A thread that waits alone is woken before the cell is free: its node need not wait for that.
static struct thread *give(uint32_t semaphore, struct thread *self, uint32_t call) {
    (void)call;
    if (semaphore >= NODES_SEMAPHORES) {
        return refuse(self);
    }
    self->a[0] = NODES_OK;
    lock(semaphore);
    const uint32_t state = shared->state[semaphore];
    if (state <= NODES_COUNT_MAX) {
        self->a[0] = add(semaphore, state);
        return self;
    }
    struct thread *first = &threads[state == MANY ? leave(semaphore) : WAITER_INDEX(state)];
    struct thread *next = semi_wake(first, self);
    if (state != MANY) {
        shared->state[semaphore] = 0;
    }
    unlock(semaphore);
    return next;
}

static struct thread *init(uint32_t argument, struct thread *self, uint32_t call) {
    (void)call;
    const uint32_t semaphore = NODES_INIT_SEMAPHORE(argument), count = NODES_INIT_COUNT(argument);
    if (semaphore >= NODES_SEMAPHORES || count > NODES_COUNT_MAX) {
        return refuse(self);
    }
    lock(semaphore);
    const bool waited = shared->state[semaphore] > NODES_COUNT_MAX;
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
