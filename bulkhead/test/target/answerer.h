// SPDX-License-Identifier: MIT
//
// What the server of paths_gates.c does for its callers: the first word of a call.
#ifndef ANSWERER_H
#define ANSWERER_H

#include <stdint.h>

enum answerer {
    ANSWER,           // at once
    ANSWER_WHEN_TOLD, // by semaphore `told`
    HURRY,
    CALM, // wait for calls up to a tick, again and again, or for ever
    TRY,  // do not wait once, tell, and be calm
};

// The second word. The first is the caller's identity.
static inline uint32_t answer_to(uint32_t word) {
    return ~(word * 3);
}

#endif
