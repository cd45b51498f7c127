// SPDX-License-Identifier: MIT
//
// The protection unit of Armv7-M: PMSAv7. armv8-m/unit.h is its counterpart.
#ifndef ARCH_UNIT_H
#define ARCH_UNIT_H

#include <stdint.h>

#define ARCH_PMSA 7 // the declaration asserts that it is for this unit

#define ARCH_CFSR (*(volatile uint32_t *)0xE000ED28u)
#define ARCH_CFSR_STACK_LIMIT 0u // the processor checks no limit of a stack

// Returns the status of a fault, in the terms of CFSR.
static inline uint32_t arch_fault_status(void) {
    return ARCH_CFSR;
}

// Enclose a write of the kernel to the page that processes may read: no work, because the region of
// the page lets privileged code write.
static inline void arch_page_open(void) {
}

static inline void arch_page_close(void) {
}

// Prepares the unit for its first regions: no work, because RBAR has the number of its region.
static inline void arch_unit_prepare(void) {
}

#endif
