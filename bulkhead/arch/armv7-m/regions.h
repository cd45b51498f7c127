// SPDX-License-Identifier: MIT
//
// What protection there is: all of it. regions.inc has its part in the switch.
#ifndef ARCH_REGIONS_H
#define ARCH_REGIONS_H

#include <arch.h>

enum {
    REGIONS_MPU_CONTROL = 5,    // MPU_CTRL: enabled; the kernel sees the default map (B3.5.5)
    REGIONS_THREAD_CONTROL = 3, // CONTROL: unprivileged, on the process stack (B1.4.4)
};

// What a context keeps of its stack's region.
static inline struct arch_region regions_of_stack(struct arch_region stack) {
    return stack;
}

#endif
