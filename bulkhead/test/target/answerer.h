// SPDX-License-Identifier: MIT
//
// The services of the server of paths_gates.c: the first word of a call.
#ifndef ANSWERER_H
#define ANSWERER_H

#include <stdint.h>

enum answerer {
    ANSWER,           // at once
    ANSWER_WHEN_TOLD, // after semaphore `told`
    HURRY,
    CALM, // waits for calls up to a tick, again and again, or for ever
    COPY, // writes what the caller lends, then as ANSWER
    COPY_WHEN_TOLD,
    TRY, // receives once without waiting, posts `told`, then CALM
};

enum { LENT_BYTES = 70, COPIED = 0xC0 };

// Returns the second word of the answer. The first word is the caller's identity.
static inline uint32_t answer_to(uint32_t word) {
    return ~(word * 3);
}

#endif
