// SPDX-License-Identifier: MIT
//
// Tells whether the running code is privileged.
//
// Source: Armv7-M Architecture Reference Manual (DDI 0403E) B1.4.4 CONTROL.
#ifndef ARCH_PRIVILEGE_H
#define ARCH_PRIVILEGE_H

#include <arch/interrupt.h>
#include <stdbool.h>
#include <stdint.h>

// Handler mode is privileged, whatever the value of CONTROL.
static inline bool arch_privileged(void) {
    uint32_t control;
    __asm__ volatile("mrs %0, control" : "=r"(control));
    return arch_interrupt_active() || (control & 1u) == 0;
}

#endif
