// SPDX-License-Identifier: MIT
//
// Floating-point registers for the test `calls`: one that a function call may change and one that a
// function call preserves. A real function would restore the preserved register when it returns, so
// these functions are inlined at every level of optimisation.
#ifndef FLOATS_H
#define FLOATS_H

#include <stdbool.h>
#include <stdint.h>

static inline __attribute__((always_inline)) void floats_fill(uint32_t low, uint32_t high) {
    __asm__ volatile("vmov s1, %0\n\tvmov s17, %1" : : "r"(low), "r"(high) : "s1", "s17");
}

static inline bool floats_have(uint32_t low, uint32_t high) {
    uint32_t found_low, found_high;
    __asm__ volatile("vmov %0, s1\n\tvmov %1, s17" : "=r"(found_low), "=r"(found_high));
    return found_low == low && found_high == high;
}

#endif
