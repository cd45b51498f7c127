// SPDX-License-Identifier: MIT
//
// Replaces regions.h of the kernel with one that protects no memory: the MPU is off and threads are
// privileged. Used only to measure the cost of isolation.
#ifndef ARCH_REGIONS_H
#define ARCH_REGIONS_H

#include <arch.h>

enum {
    REGIONS_MPU_CONTROL = 0,    // MPU_CTRL: disabled (B3.5.5)
    REGIONS_THREAD_CONTROL = 2, // CONTROL: privileged, on the process stack (B1.4.4)
};

// Returns the MPU region of a thread's stack as the context of the thread keeps it.
static inline struct arch_region regions_of_stack(struct arch_region stack) {
    return stack;
}

#endif
