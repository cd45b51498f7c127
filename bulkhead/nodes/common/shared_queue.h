// SPDX-License-Identifier: MIT
//
// A queue in global memory: numbers 0 … 255 by level, first in first out among equals. Every node
// uses it under a lock cell. Each operation makes a constant number of accesses, because each
// access costs the latency of the bus.
#ifndef NODES_SHARED_QUEUE_H
#define NODES_SHARED_QUEUE_H

#include "levels.h"
#include "machine.h"

struct shared_queue {
    uint32_t levels;       // bit n is set if numbers of level n are in the queue
    uint32_t fifo[LEVELS]; // for each such level: the first number, and the last number << 8
};

#define FIFO(first, last) ((first) | (last) << 8)
#define FIFO_FIRST(fifo) ((fifo) & 0xff)
#define FIFO_LAST(fifo) ((fifo) >> 8)

// Appends a number. `following` holds for each number the next one in the queue.
static inline void shared_append(volatile struct shared_queue *queue, volatile uint32_t *following,
                                 uint32_t levels, uint32_t level, uint32_t number) {
    uint32_t first = number;
    if (levels >> level & 1) {
        const uint32_t fifo = queue->fifo[level];
        first = FIFO_FIRST(fifo);
        following[FIFO_LAST(fifo)] = number;
    }
    queue->fifo[level] = FIFO(first, number);
    queue->levels = levels | 1u << level;
}

// Removes the first number of a level. Returns the levels that remain.
static inline uint32_t shared_take(volatile struct shared_queue *queue,
                                   volatile uint32_t *following, uint32_t levels, uint32_t level,
                                   uint32_t *first) {
    const uint32_t fifo = queue->fifo[level];
    *first = FIFO_FIRST(fifo);
    if (*first != FIFO_LAST(fifo)) {
        queue->fifo[level] = FIFO(following[*first], FIFO_LAST(fifo));
        return levels;
    }
    const uint32_t left = levels & ~(1u << level);
    queue->levels = left;
    return left;
}

// Acquires a lock cell. It is held with interrupts off, and for at most some tens of accesses.
static inline void cell_lock(uint32_t cell) {
    while (LOCK(cell)) {
    }
}

static inline void cell_unlock(uint32_t cell) {
    LOCK(cell) = 0;
}

#endif
