// SPDX-License-Identifier: MIT
//
// What protection there is: none. To measure by, and for nothing else.
#ifndef ARCH_REGIONS_H
#define ARCH_REGIONS_H

#include <arch.h>

enum {
    REGIONS_MPU_CONTROL = 0,    // MPU_CTRL: disabled (B3.5.5)
    REGIONS_THREAD_CONTROL = 2, // CONTROL: privileged, on the process stack (B1.4.4)
};

// What a context keeps of its stack's region.
static inline struct arch_region regions_of_stack(struct arch_region stack) {
    return stack;
}

#endif
