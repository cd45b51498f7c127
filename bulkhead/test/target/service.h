// SPDX-License-Identifier: MIT
//
// The services of the server in the test `calls` (calls.c). The first word of a call selects the
// service.
#ifndef SERVICE_H
#define SERVICE_H

#include <stdint.h>

enum service {
    ECHO,    // answers at once
    SPIN,    // runs for the number of ticks in the second word
    SLEEP,   // sleeps for the number of ticks in the second word
    FAULT,   // sleeps as SLEEP does, then makes a forbidden access
    POLL,    // tries several times to receive without waiting; the first attempt answers
    COMPARE, // answers how many registers were not as it had left them, and how many
             // The answer says whether all receptions without waiting failed, as they must.
    RECURSE, // answers the result of a call of the server to itself
    FILL,    // fills floating-point registers
    LOOK,    // answers whether floating-point registers are nonzero
};

// Returns the word that the server answers to `word`. The first word of an answer is the caller's
// identity as the server sees it.
static inline uint32_t echo_of(uint32_t word) {
    return ~(word * 3);
}

#endif
