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

// Makes the processor store the floating-point registers to `address` when the next floating-point
// instruction executes (VLSTM), whichever thread executes this instruction.
static inline void store_floats_later(volatile uint32_t *address) {
    register volatile uint32_t *r0 __asm__("r0") = address;
    __asm__ volatile("vmov s0, r0\n\t.inst.w 0xEC200A00" : : "r"(r0) : "s0", "memory");
}

#define UNIT_ROWS                                                            \
    {"leave the Secure state", JUMP, (uintptr_t)leave_secure_state, FAULTS}, \
        {"write SAU_CTRL", WRITE, 0xE000EDD0u, FAULTS},                      \
        {"write MAIR0", WRITE, 0xE000EDC0u, FAULTS},

#endif
