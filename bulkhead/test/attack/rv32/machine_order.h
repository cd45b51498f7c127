// SPDX-License-Identifier: MIT
//
// RV32 part of order.h, the order of the judge to the attacker: values for x1 to x31. The kernel
// saves no part of a waiting thread's context in memory of its process, so there is nothing to
// forge.
#ifndef MACHINE_ORDER_H
#define MACHINE_ORDER_H

#define CORE_REGISTERS 31

#ifndef __ASSEMBLER__
#include "handles.h"
#include <bulkhead/svc.h>
#include <stdbool.h>
#include <stdint.h>

struct machine_order {
    uint32_t stack_pointer; // STACK: to restore the stack pointer
};

// Indices of registers in an order; x1 has the index 0. Only arguments of a call may have pointers.
enum { RA = 0, SP, GP, TP, T0, T1, T2, S0, S1, A0, A1, A2, A3, A4, A7 = A4 + 3, S2, S11 = S2 + 9 };
enum {
    RESULT = A0,
    HANDLE = A0,
    METHOD,
    ARGUMENT,
    SECOND_ARGUMENT,
    FIRST_POINTER = A2,
    LAST_POINTER = A7,
    LENT_ADDRESS = A7 - 1,
    LENT_BYTES
};
enum { HANDLE_SCALE = BULKHEAD_HANDLE_SCALE, METHOD_SCALE = BULKHEAD_METHOD_SCALE };

// Start of data memory.
#define MACHINE_DATA 0x80080000u

// Number of variants of each attack in hostile.S. The variants of a jump are the two values of bit
// 0 of its address, which RV32 ignores.
enum { LOADS = 8, STORES = 6, JUMPS = 2, STACKS = 4, FORGERIES = 0, PRIVILEGES = 22, LOOKS = 1 };

// Returns whether a system call preserves the register: the same registers as a function call.
static inline bool order_is_kept(uint32_t handle, uint32_t number) {
    (void)handle;
    return number == RA || number == S0 || number == S1 || (number >= S2 && number <= S11);
}

static inline void machine_fault(void) {
    __asm__ volatile("unimp");
}
#endif

#endif
