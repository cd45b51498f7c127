// SPDX-License-Identifier: MIT
//
// What the server of the calls test does for its callers: the first word of a call.
#ifndef SERVICE_H
#define SERVICE_H

#include <stdint.h>

enum service {
    ECHO,    // answers at once
    SPIN,    // is at work until so many ticks have passed
    SLEEP,   // sleeps so many ticks
    FAULT,   // sleeps so many ticks, and does what it must not
    POLL,    // answers, then receives some times without waiting
    COMPARE, // answers how many registers were not as it had left them, and how many
             // receptions without waiting were none
    RECURSE, // answers how a call to itself ends
    FILL,    // leaves something in floating-point registers
    LOOK,    // answers what is in floating-point registers
};

// What comes back: the caller's identity as the server has it, and the rest of the words changed.
static inline uint32_t echo_of(uint32_t word) {
    return ~(word * 3);
}

#endif
