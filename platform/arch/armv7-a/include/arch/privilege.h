// SPDX-License-Identifier: MIT
//
// Tells whether the running code is privileged.
//
// Source: Armv7-A Architecture Reference Manual (DDI 0406C) B1.3.1 modes.
#ifndef ARCH_PRIVILEGE_H
#define ARCH_PRIVILEGE_H

#include <arch/interrupt.h>
#include <stdbool.h>
#include <stdint.h>

// User mode is the only mode without privilege.
static inline bool arch_privileged(void) {
    uint32_t cpsr;
    __asm__ volatile("mrs %0, cpsr" : "=r"(cpsr));
    return (cpsr & ARCH_CPSR_MODE) != ARCH_MODE_USER;
}

#endif
