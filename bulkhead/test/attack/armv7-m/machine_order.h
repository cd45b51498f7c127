// SPDX-License-Identifier: MIT
//
// Armv7-M part of order.h, the order of the judge to the attacker: values for r0 to r12, for the
// floating-point registers and for an exception frame.
#ifndef MACHINE_ORDER_H
#define MACHINE_ORDER_H

#define CORE_REGISTERS 13
#define FLOATING_REGISTERS 32
#define FRAME_WORDS 8
#define BEYOND 0xBE41D000 // value of the words after the forged frame

#define MACHINE_FLOATING 0
#define MACHINE_FRAME_END 248

#ifndef __ASSEMBLER__
#include "handles.h"
#include <machine_places.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine_order {
    uint32_t floating[FLOATING_REGISTERS];
    uint32_t place[30]; // FORGE: the exception frame is at the end of this array
    // Would be used as a frame if the frame in `place` were removed without effect.
    uint32_t beyond[FRAME_WORDS];
};
_Static_assert(offsetof(struct machine_order, beyond) == MACHINE_FRAME_END, "assembler's");

// The registers of a system call (svc.h). Any of them may have a pointer.
enum {
    RESULT = 0,
    HANDLE,
    METHOD,
    ARGUMENT,
    LENT_ADDRESS = 10,
    LENT_BYTES,
    SECOND_ARGUMENT,
    FIRST_POINTER = 0,
    LAST_POINTER = 12
};

enum { HANDLE_SCALE = 1, METHOD_SCALE = 1 };

// Number of variants of each attack in hostile.S. The variants of a jump are the two values of bit
// 0 of its address.
enum { LOADS = 10, STORES = 9, JUMPS = 2, STACKS = 6, FORGERIES = 1, LOOKS = 1 };
enum { PRIVILEGES = 17 + UNIT_PRIVILEGES };

// Returns whether a system call with this handle preserves the register. A call may change the
// registers of its result, its value and its timeout, and the words of a call to another process.
static inline bool order_is_kept(uint32_t handle, uint32_t number) {
    const bool is_word = number >= 8 && number <= 11 && handle == GATE_CLERK;
    return number != 0 && number != 3 && number != 12 && !is_word;
}

static inline void machine_fault(void) {
    __asm__ volatile("udf #2");
}
#endif

#endif
