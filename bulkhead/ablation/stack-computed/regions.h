// SPDX-License-Identifier: MIT
//
// Enables the MPU and makes threads unprivileged. The code that changes regions at a switch is in
// regions.inc.
#ifndef ARCH_REGIONS_H
#define ARCH_REGIONS_H

#include <arch.h>

_Static_assert(ARCH_PMSA == 7, "this ablation computes the registers of PMSAv7");

enum {
    REGIONS_MPU_CONTROL = 5,    // MPU_CTRL: enabled; the kernel sees the default map (B3.5.5)
    REGIONS_THREAD_CONTROL = 3, // CONTROL: unprivileged, on the process stack (B1.4.4)
};

// Returns what the context of a thread keeps for regions.inc: the address and the bytes of the
// stack.
static inline struct arch_region regions_of_stack(struct arch_region stack) {
    return (struct arch_region){stack.base & ~0x1Fu, 2u << (stack.attributes >> 1 & 0x1F)};
}

#endif
