// SPDX-License-Identifier: MIT
//
// Pseudo-random numbers that are the same on every run: xorshift (Marsaglia, Journal of Statistical
// Software 8, 2003).
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

static inline uint32_t random_below(uint32_t limit) {
    static uint32_t state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % limit;
}

#endif
