// SPDX-License-Identifier: MIT
//
// A guest with the instructions that Armv8-M adds: acquire and release, the test of a target, stack
// limits, the secure gateway, branches that may leave the Secure state, and the lazy saving of
// floating-point registers. QEMU executes STLEX as a load and a store, so it is left out.
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
                     "ldaexh %0, [%2]\n\t"
                     "tt %1, %2\n\t"
                     "ttt %1, %2\n\t"
                     "tta %1, %2\n\t"
                     "ttat %1, %2\n\t"
                     "mrs %1, msplim\n\t"
                     "msr psplim, %1"
                     : "=&r"(old), "=&r"(attributes)
                     : "r"(&word), "r"(value)
                     : "memory");
    return old + attributes;
}

// The address is odd, so BLXNS and BXNS stay in the Secure state, as BLX and BX do.
static void branch(void) {
    __asm__ volatile("adr r1, 1f\n\t"
                     "adds r1, #1\n\t"
                     "blxns r1\n\t"
                     "b 2f\n\t"
                     ".balign 4\n"
                     "1: bxns lr\n"
                     "2:" ::
                         : "r1", "lr", "cc", "memory");
}

// No floating-point context is active (CONTROL.SFPA is 0), so no register is moved.
static uint64_t saved[17];

static void floats(void) {
    __asm__ volatile("vlstm %0\n\t"
                     "vlldm %0" ::"r"(saved)
                     : "memory");
}

void guest(void) {
    for (uint32_t i = 0; i < 12; i++) {
        BENCH_MARK("step");
        step(i);
        branch();
        floats();
    }
}
