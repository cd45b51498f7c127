// SPDX-License-Identifier: MIT
//
// The raw transport: a ring of words between one producer and one consumer, on any two nodes, over
// two semaphores and nothing else. No priorities, no lists, no locks.
//
// Node 0 reaches the global memory at once, past what it has posted to the bus; that is harmless,
// for its words are there before the semaphore is given.
#ifndef BULKHEAD_NODES_RING_H
#define BULKHEAD_NODES_RING_H

#include <bulkhead/nodes.h>
#include <bulkhead/nodes_copy.h>

// One end of a ring: the producer and the consumer have one each, in memory of their own.
struct nodes_ring {
    volatile uint32_t *words; // in the window: places × words_each
    uint32_t places;
    uint32_t words_each;
    uint32_t filled, space; // semaphores: counts 0 and `places` at the beginning
    uint32_t next;          // the place that comes next
};

static inline volatile uint32_t *nodes_ring_place(struct nodes_ring *ring) {
    volatile uint32_t *place = ring->words + ring->next * ring->words_each;
    ring->next = ring->next + 1 == ring->places ? 0 : ring->next + 1;
    return place;
}

// Sends up to `words_each` words; waits for a place.
static inline void nodes_ring_send(struct nodes_ring *ring, const uint32_t *words,
                                   uint32_t word_count) {
    nodes_take(ring->space);
    nodes_copy(nodes_ring_place(ring), words, word_count);
    nodes_signal(ring->filled);
}

// Receives as many words as were sent; waits for them.
static inline void nodes_ring_receive(struct nodes_ring *ring, uint32_t *words,
                                      uint32_t word_count) {
    nodes_take(ring->filled);
    nodes_copy(words, nodes_ring_place(ring), word_count);
    nodes_signal(ring->space);
}

#endif
