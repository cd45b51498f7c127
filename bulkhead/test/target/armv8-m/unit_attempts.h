// SPDX-License-Identifier: MIT
//
// Included by attempts.h: attacks that only a thread on an Armv8-M core in the Secure state can
// make.
#ifndef UNIT_ATTEMPTS_H
#define UNIT_ATTEMPTS_H

#include <stdint.h>

// CFSR.STKOF: the stack limit register finds the overflow before the MPU.
#define STACK_LIMIT_STATUS (1u << 20)

// Switches to the Non-secure state. All memory is Secure, so the next instruction cannot be
// fetched, and the thread faults.
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
