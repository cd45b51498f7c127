// SPDX-License-Identifier: MIT
//
// The services of the server of the calls test: the first word of a call.
#ifndef SERVICE_H
#define SERVICE_H

#include <stdint.h>

enum service {
    ECHO,    // answers at once
    SPIN,    // works until so many ticks have passed
    SLEEP,   // sleeps so many ticks
    FAULT,   // sleeps so many ticks, and then makes a forbidden access
    POLL,    // answers, then receives some times without waiting
    COMPARE, // answers how many registers were not as it had left them, and how many
             // receptions without waiting were none
    RECURSE, // answers how a call to itself ends
    FILL,    // leaves something in floating-point registers
    LOOK,    // answers what is in floating-point registers
};

// Returns the answer to a word. An answer has the caller's identity as the server sees it, and the
// other words changed.
static inline uint32_t echo_of(uint32_t word) {
    return ~(word * 3);
}

#endif
