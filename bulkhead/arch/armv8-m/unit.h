// SPDX-License-Identifier: MIT
//
// The protection unit of Armv8-M: PMSAv8, stack limits, and the Secure state, in which the kernel
// and all threads run. All other files of this architecture are those of armv7-m.
//
// No region of PMSAv8 lets privileged code write and unprivileged code only read. The page that
// processes read is therefore read-only for the kernel, too. The kernel writes it with FAULTMASK
// set: the unit does not apply to an execution priority below 0, because HFNMIENA is clear.
//
// Source: Armv8-M Architecture Reference Manual (DDI 0553) B3.18 stack limits, B5 security
// attribution, D1.2 registers.
#ifndef ARCH_UNIT_H
#define ARCH_UNIT_H

#include <stdint.h>

#define ARCH_PMSA 8 // the generated tables assert that they are for this unit

#define ARCH_CFSR (*(volatile uint32_t *)0xE000ED28u)
#define ARCH_CFSR_STACK_LIMIT (1u << 20)  // STKOF
#define ARCH_CFSR_LEFT_SECURE 0x00040001u // INVPC, IACCVIOL
#define ARCH_SFSR (*(volatile uint32_t *)0xE000EDE4u)

#define ARCH_MPU_RNR (*(volatile uint32_t *)0xE000ED98u)
#define ARCH_MPU_MAIR0 (*(volatile uint32_t *)0xE000EDC0u)
#define ARCH_SAU_CTRL (*(volatile uint32_t *)0xE000EDD0u)

// Memory attribute 0: normal memory, write-through. Memory attribute 1: device memory, nGnRE.
#define ARCH_MAIR0_NORMAL_DEVICE 0x000004AAu

// Returns the status of a fault, with the bits of CFSR. If a thread leaves the Secure state, the
// SecureFault escalates to HardFault. The thread then faults like one that branches to code that it
// may not execute. The report has no frame, because the frame is not on the thread's stack.
static inline uint32_t arch_fault_status(void) {
    const uint32_t secure = ARCH_SFSR;
    ARCH_SFSR = secure; // a write clears the bits that are 1
    return ARCH_CFSR | (secure != 0 ? ARCH_CFSR_LEFT_SECURE : 0);
}

// arch_page_open is called before, and arch_page_close after, the kernel writes to the page that
// processes may read.
static inline void arch_page_open(void) {
    __asm__ volatile("cpsid f" ::: "memory");
}

static inline void arch_page_close(void) {
    __asm__ volatile("cpsie f" ::: "memory");
}

// Prepares the MPU for its first regions: memory is Secure, no stack has a limit until its thread
// runs, and RNR is 0, as regions.inc expects.
static inline void arch_unit_prepare(void) {
    ARCH_SAU_CTRL = 0;
    __asm__ volatile("msr msplim, %0\n\tmsr psplim, %0" : : "r"(0));
    ARCH_MPU_MAIR0 = ARCH_MAIR0_NORMAL_DEVICE;
    ARCH_MPU_RNR = 0;
}

#endif
