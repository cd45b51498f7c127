// SPDX-License-Identifier: MIT
//
// The code that differs between Armv7-M and Armv8-M: here for the memory protection unit of
// Armv7-M, PMSAv7. armv8-m/unit.h is the counterpart.
#ifndef ARCH_UNIT_H
#define ARCH_UNIT_H

#include <stdint.h>

#define ARCH_PMSA 7 // the generated tables assert that they are for this unit

#define ARCH_CFSR (*(volatile uint32_t *)0xE000ED28u)
#define ARCH_CFSR_STACK_LIMIT 0u // no bit: the processor of Armv7-M checks no stack limit

// Returns the status of a fault, with the bits of CFSR.
static inline uint32_t arch_fault_status(void) {
    return ARCH_CFSR;
}

// arch_page_open is called before, and arch_page_close after, the kernel writes to the page that
// processes may read. Both do nothing here, because the region of the page lets privileged code
// write.
static inline void arch_page_open(void) {
}

static inline void arch_page_close(void) {
}

// Prepares the MPU for its first regions. Does nothing here, because RBAR contains the number of
// its region.
static inline void arch_unit_prepare(void) {
}

#endif
