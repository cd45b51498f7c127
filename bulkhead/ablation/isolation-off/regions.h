// SPDX-License-Identifier: MIT
//
// The level of protection: none. For measurements, and for nothing else.
#ifndef ARCH_REGIONS_H
#define ARCH_REGIONS_H

#include <arch.h>

enum {
    REGIONS_MPU_CONTROL = 0,    // MPU_CTRL: disabled (B3.5.5)
    REGIONS_THREAD_CONTROL = 2, // CONTROL: privileged, on the process stack (B1.4.4)
};

// Returns the description of the stack's region that a context keeps.
static inline struct arch_region regions_of_stack(struct arch_region stack) {
    return stack;
}

#endif
