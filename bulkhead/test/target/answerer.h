// SPDX-License-Identifier: MIT
//
// The services of the server of paths_gates.c. The first word of a call selects the service.
#ifndef ANSWERER_H
#define ANSWERER_H

#include <stdint.h>

enum answerer {
    ANSWER,           // answers at once
    ANSWER_WHEN_TOLD, // answers after it has taken the semaphore `told`
    HURRY,
    CALM, // CALM: from now on, waits for calls without a timeout; HURRY: with a timeout of 1 tick
    COPY, // writes to the memory that the caller lends, then answers as ANSWER does
    COPY_WHEN_TOLD,
    TRY, // receives once without waiting, gives `told`, then waits as after CALM
};

enum { LENT_BYTES = 70, COPIED = 0xC0 };

// Returns the second word of the answer to a call whose second word is `word`. The first word of
// the answer is the caller's identity.
static inline uint32_t answer_to(uint32_t word) {
    return ~(word * 3);
}

#endif
