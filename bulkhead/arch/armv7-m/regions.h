// SPDX-License-Identifier: MIT
//
// Enables the MPU and makes threads unprivileged. The code that changes regions at a switch is in
// regions.inc.
#ifndef ARCH_REGIONS_H
#define ARCH_REGIONS_H

#include <arch.h>

enum {
    REGIONS_MPU_CONTROL = 5,    // MPU_CTRL: enabled; the kernel sees the default map (B3.5.5)
    REGIONS_THREAD_CONTROL = 3, // CONTROL: unprivileged, on the process stack (B1.4.4)
};

// Returns the MPU region of a thread's stack as the context of the thread keeps it.
static inline struct arch_region regions_of_stack(struct arch_region stack) {
    return stack;
}

#endif
