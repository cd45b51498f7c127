// SPDX-License-Identifier: MIT
//
// Copies words in ascending order, to and from memory that nodes share. It copies four at a time:
// the loads of a group need not wait for each other, and the branch of the loop, which costs a
// third of a copied word, is taken once for four words.
#ifndef BULKHEAD_NODES_COPY_H
#define BULKHEAD_NODES_COPY_H

#include <stdint.h>

static inline void nodes_copy(volatile uint32_t *to, const volatile uint32_t *from,
                              uint32_t count) {
    for (; count >= 4; count -= 4, to += 4, from += 4) {
        const uint32_t first = from[0], second = from[1], third = from[2], fourth = from[3];
        to[0] = first;
        to[1] = second;
        to[2] = third;
        to[3] = fourth;
    }
    for (; count; count--) {
        *to++ = *from++;
    }
}

#endif
