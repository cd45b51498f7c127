// SPDX-License-Identifier: MIT
//
// For attempts.h: attempts on a core of Armv8-M in the Secure state.
#ifndef UNIT_ATTEMPTS_H
#define UNIT_ATTEMPTS_H

#include <stdint.h>

#define STACK_LIMIT_STATUS (1u << 20) // CFSR.STKOF: the limit found it, before the MPU could

// Leaves the Secure state. All memory is Secure, so nothing can be executed there.
__attribute__((naked, unused)) static void leave_secure_state(void) {
    __asm__ volatile("ldr r0, =0x00001000\n\t"
                     ".inst.n 0x4704\n\t" // BXNS r0
                     ".ltorg");
}

#define UNIT_ROWS                                                            \
    {"leave the Secure state", JUMP, (uintptr_t)leave_secure_state, FAULTS}, \
        {"write SAU_CTRL", WRITE, 0xE000EDD0u, FAULTS},                      \
        {"write MAIR0", WRITE, 0xE000EDC0u, FAULTS},

#endif
