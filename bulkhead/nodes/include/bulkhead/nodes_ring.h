// SPDX-License-Identifier: MIT
//
// The raw transport: a ring of words between one producer and one consumer, on any two nodes, over
// two semaphores and nothing else. No priorities, no lists, no locks. Free places come back in
// batches of half a ring, so that most messages cost one call at each end.
//
// Node 0 reaches the global memory at once, past what it has posted to the bus; that is harmless,
// for its words are there before the semaphore is given.
#ifndef BULKHEAD_NODES_RING_H
#define BULKHEAD_NODES_RING_H

#include <bulkhead/nodes.h>
#include <bulkhead/nodes_copy.h>

// One end of a ring: the producer and the consumer have one each, in memory of their own.
struct nodes_ring {
    volatile uint32_t *words, *end; // in the window
    volatile uint32_t *next;        // the place that comes next
    uint32_t words_each;
    uint32_t filled, space; // semaphores: messages, and batches of free places
    uint32_t batch;         // half of the places
    uint32_t batched;       // of the batch: messages still to send, or received already
};

// Counts of the semaphores at the beginning.
#define NODES_RING_FILLED 0
#define NODES_RING_SPACE 2

// `places` are 2 or more, and even.
static inline struct nodes_ring nodes_ring(volatile uint32_t *words, uint32_t places,
                                           uint32_t words_each, uint32_t filled, uint32_t space) {
    return (struct nodes_ring){
        .words = words,
        .end = words + places * words_each,
        .next = words,
        .words_each = words_each,
        .filled = filled,
        .space = space,
        .batch = places / 2,
    };
}

static inline volatile uint32_t *nodes_ring_place(struct nodes_ring *ring) {
    volatile uint32_t *place = ring->next;
    ring->next = place + ring->words_each == ring->end ? ring->words : place + ring->words_each;
    return place;
}

// Sends up to `words_each` words; waits for a place.
static inline void nodes_ring_send(struct nodes_ring *ring, const uint32_t *words,
                                   uint32_t word_count) {
    if (ring->batched == 0) {
        nodes_take(ring->space);
        ring->batched = ring->batch;
    }
    ring->batched--;
    nodes_copy(nodes_ring_place(ring), words, word_count);
    nodes_signal(ring->filled);
}

// Receives as many words as were sent; waits for them.
static inline void nodes_ring_receive(struct nodes_ring *ring, uint32_t *words,
                                      uint32_t word_count) {
    nodes_take(ring->filled);
    nodes_copy(words, nodes_ring_place(ring), word_count);
    if (++ring->batched == ring->batch) {
        ring->batched = 0;
        nodes_signal(ring->space);
    }
}

#endif
