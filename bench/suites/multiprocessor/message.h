// SPDX-License-Identifier: MIT
//
// Messages over either transport. The content of a message encodes its place in the sequence, so
// that a lost, duplicated, swapped or changed message is detected. Parameter `transport`: raw is a
// channel, the cheapest transport that two semaphores allow; bus has priorities and inheritance.
#ifndef MESSAGE_H
#define MESSAGE_H

#include "placement.h"

enum transport { raw, bus };

// One direction of the transport; the scenario declares the channels or buses.
struct way {
    uint32_t index;
};

// `bytes` may be any number, but a channel carries whole words.
static inline enum bench_status send(struct way way, const uint32_t *words, uint32_t bytes) {
    return PARAM_TRANSPORT == raw
               ? bench_channel_send((struct bench_channel){way.index}, words, (bytes + 3) / 4)
               : bench_bus_send((struct bench_bus){way.index}, words, bytes, LOW_PRIORITY);
}

static inline enum bench_status receive(struct way way, uint32_t *words, uint32_t *bytes) {
    return PARAM_TRANSPORT == raw
               ? bench_channel_receive((struct bench_channel){way.index}, words, (*bytes + 3) / 4)
               : bench_bus_receive((struct bench_bus){way.index}, words, bytes);
}

// Returns word `place` of message `sequence`.
static inline uint32_t content(uint32_t sequence, uint32_t place) {
    return sequence << 12 ^ place * 0x9e37u;
}

// Returns a mask of the bits of word `place` that belong to a message of `bytes` bytes.
static inline uint32_t mask(uint32_t bytes, uint32_t place) {
    const uint32_t left = bytes - 4 * place;
    return left >= 4 ? UINT32_MAX : (1u << 8 * left) - 1;
}

static inline void fill(uint32_t *words, uint32_t bytes, uint32_t sequence) {
    for (uint32_t i = 0; 4 * i < bytes; i++) {
        words[i] = content(sequence, i) & mask(bytes, i);
    }
}

static inline void require_content(const uint32_t *words, uint32_t bytes, uint32_t sequence) {
    for (uint32_t i = 0; 4 * i < bytes; i++) {
        BENCH_REQUIRE(((words[i] ^ content(sequence, i)) & mask(bytes, i)) == 0,
                      "a message was lost, duplicated, swapped or changed");
    }
}

#endif
