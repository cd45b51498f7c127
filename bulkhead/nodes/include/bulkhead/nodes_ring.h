// SPDX-License-Identifier: MIT
//
// The raw transport: a ring of words between one producer and one consumer, on any two nodes. It
// uses two semaphores and nothing else: no priorities, no lists, no locks. Free places are given
// back in batches of half a ring, so that most messages cost one call at each end.
//
// Work that a message does not need is done outside the path of the message: the sender advances
// its end after it has sent; the receiver gives places back and advances its end before it waits.
//
// Node 0 reaches the global memory directly, so its words may overtake writes that it has posted to
// the bus. That is harmless, because the words are in memory before the semaphore is given.
#ifndef BULKHEAD_NODES_RING_H
#define BULKHEAD_NODES_RING_H

#include <bulkhead/nodes.h>
#include <bulkhead/nodes_copy.h>

// One end of a ring: the producer and the consumer have one each, in their own memory.
struct nodes_ring {
    volatile uint32_t *next;        // address of the next place
    volatile uint32_t *words, *end; // memory of the ring, in the window
    uint32_t words_each;
    uint32_t filled, space; // semaphores: messages, and batches of free places
    uint32_t batch;         // places in a batch: half of all places
    // The producer counts the messages of a batch that are still to be sent, the consumer those
    // already received.
    uint32_t batched;
};

// The initial counts of the semaphores.
#define NODES_RING_FILLED 0
#define NODES_RING_SPACE 2

// Returns an end of a ring. `places` is even, and at least 2.
static inline struct nodes_ring nodes_ring(volatile uint32_t *words, uint32_t places,
                                           uint32_t words_each, uint32_t filled, uint32_t space) {
    return (struct nodes_ring){
        .next = words,
        .words = words,
        .end = words + places * words_each,
        .words_each = words_each,
        .filled = filled,
        .space = space,
        .batch = places / 2,
    };
}

static inline void nodes_ring_advance(struct nodes_ring *ring) {
    volatile uint32_t *next = ring->next + ring->words_each;
    ring->next = next == ring->end ? ring->words : next;
}

static inline void nodes_ring_put(struct nodes_ring *ring, const uint32_t *words,
                                  uint32_t word_count) {
    nodes_copy(ring->next, words, word_count);
    nodes_call(NODES_CALL_SIGNAL, ring->filled);
    ring->batched--;
    nodes_ring_advance(ring);
}

static inline void nodes_ring_get(struct nodes_ring *ring, uint32_t *words, uint32_t word_count) {
    const volatile uint32_t *place = ring->next;
    ring->batched++;
    nodes_ring_advance(ring);
    nodes_call(NODES_CALL_TAKE, ring->filled);
    nodes_copy(words, place, word_count);
}

// Handles a message that begins a batch. Not inlined, so that other messages save no registers for
// it.
__attribute__((noinline, unused)) static void
nodes_ring_begin_sending(struct nodes_ring *ring, const uint32_t *words, uint32_t word_count) {
    nodes_take(ring->space);
    ring->batched = ring->batch;
    nodes_ring_put(ring, words, word_count);
}

__attribute__((noinline, unused)) static void
nodes_ring_begin_receiving(struct nodes_ring *ring, uint32_t *words, uint32_t word_count) {
    nodes_signal(ring->space);
    ring->batched = 0;
    nodes_ring_get(ring, words, word_count);
}

// Sends up to `words_each` words as one message. Waits for a free place.
static inline void nodes_ring_send(struct nodes_ring *ring, const uint32_t *words,
                                   uint32_t word_count) {
    if (ring->batched) {
        nodes_ring_put(ring, words, word_count);
    } else {
        nodes_ring_begin_sending(ring, words, word_count);
    }
}

// Receives one message, of as many words as were sent. Waits for it.
static inline void nodes_ring_receive(struct nodes_ring *ring, uint32_t *words,
                                      uint32_t word_count) {
    if (ring->batched != ring->batch) {
        nodes_ring_get(ring, words, word_count);
    } else {
        nodes_ring_begin_receiving(ring, words, word_count);
    }
}

#endif
