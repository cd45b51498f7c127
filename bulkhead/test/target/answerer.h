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
    TRY,  // receives once without waiting, posts `told`, then CALM
};

// Returns the second word of the answer. The first word is the caller's identity.
static inline uint32_t answer_to(uint32_t word) {
    return ~(word * 3);
}

#endif
