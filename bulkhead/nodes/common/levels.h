// SPDX-License-Identifier: MIT
//
// Finds the most urgent level in a set of levels in constant time. RV32IMC has no instruction that
// counts zeroes, but it multiplies in one cycle. A de Bruijn sequence shifted by n has a different
// number in its top five bits for each n (Leiserson, Prokop, Randall: Using de Bruijn Sequences to
// Index a 1 in a Computer Word, 1998).
#ifndef NODES_LEVELS_H
#define NODES_LEVELS_H

#include <stdint.h>

#define LEVELS 32

// Returns the lowest bit that is set in `set`, which is not 0.
static inline uint32_t levels_lowest(uint32_t set) {
    static const uint8_t index[LEVELS] = {0,  1,  28, 2,  29, 14, 24, 3,  30, 22, 20,
                                          15, 25, 17, 4,  8,  31, 27, 13, 23, 21, 19,
                                          16, 7,  26, 12, 18, 6,  11, 5,  10, 9};
    return index[(set & -set) * 0x077cb531u >> 27];
}

#endif
