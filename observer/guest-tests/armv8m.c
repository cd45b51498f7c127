// SPDX-License-Identifier: MIT
//
// A guest with the instructions that Armv8-M adds: acquire and release, the test of a target, stack
// limits and the secure gateway. QEMU executes STLEX as a load and a store, so it is left out.
#include "guest.h"

static uint32_t word;

static uint32_t step(uint32_t value) {
    uint32_t old, attributes;
    __asm__ volatile("sg\n\t"
                     "lda %0, [%2]\n\t"
                     "ldab %0, [%2]\n\t"
                     "ldah %0, [%2]\n\t"
                     "stl %3, [%2]\n\t"
                     "stlb %3, [%2]\n\t"
                     "stlh %3, [%2]\n\t"
                     "ldaex %0, [%2]\n\t"
                     "ldaexb %0, [%2]\n\t"
                     "tt %1, %2\n\t"
                     "ttat %1, %2\n\t"
                     "mrs %1, msplim\n\t"
                     "msr psplim, %1"
                     : "=&r"(old), "=&r"(attributes)
                     : "r"(&word), "r"(value)
                     : "memory");
    return old + attributes;
}

void guest(void) {
    for (uint32_t i = 0; i < 12; i++) {
        BENCH_MARK("step");
        step(i);
    }
}
