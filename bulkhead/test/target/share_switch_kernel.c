// SPDX-License-Identifier: MIT
//
// The kernel's part of share_switch.c: the linker wraps the function by which an interrupt gives a
// semaphore with a function that checks whether MPU regions are being loaded. This file is linked
// into the kernel.
#include "internal.h"

extern volatile uint32_t share_switch_halves;

struct semaphore;
void __real_arch_interrupt_posts(struct semaphore *semaphore);
void __wrap_arch_interrupt_posts(struct semaphore *semaphore);

// On Armv8-M the region number register is nonzero only while regions are being loaded
// (regions.inc).
void __wrap_arch_interrupt_posts(struct semaphore *semaphore) {
#if ARCH_PMSA == 8
    if (ARCH_MPU_RNR != 0) {
        share_switch_halves = 1;
    }
#endif
    __real_arch_interrupt_posts(semaphore);
}
