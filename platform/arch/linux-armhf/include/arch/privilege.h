// SPDX-License-Identifier: MIT
//
// Tells whether the running code is privileged.
//
// Source: Armv7-A Architecture Reference Manual (DDI 0406C) B1.3.1: the mode field of the CPSR,
// which code in User mode can read, too.
#ifndef ARCH_PRIVILEGE_H
#define ARCH_PRIVILEGE_H

#include <stdbool.h>
#include <stdint.h>

#define ARCH_CPSR_MODE 0x1fu
#define ARCH_MODE_USER 0x10u

static inline bool arch_privileged(void) {
    uint32_t cpsr;
    __asm__ volatile("mrs %0, cpsr" : "=r"(cpsr));
    return (cpsr & ARCH_CPSR_MODE) != ARCH_MODE_USER;
}

#endif
