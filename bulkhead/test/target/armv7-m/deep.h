// SPDX-License-Identifier: MIT
//
// For the test `stacks`: puts the stack pointer of a thread at the end of its stack. Floating-point
// registers are in use, because the processor then pushes its largest exception frame.
#ifndef DEEP_H
#define DEEP_H

#include <bulkhead/bulkhead.h>

// A distance from the lowest address of a stack's region that leaves too little room for an
// exception frame.
#ifdef __ARM_FP
#define DEEP_TOO_FAR 96
#define DEEP_USE_FLOATS "vmov s0, r5\n\t"
#else
#define DEEP_TOO_FAR 24
#define DEEP_USE_FLOATS ""
#endif

// Writes to the word at `sp`, waits there for two ticks, and makes a call.
static inline void deep_wait(uint32_t sp) {
    __asm__ volatile("mov r4, sp\n\tmov sp, %0\n\tstr r4, [sp]\n\t"
                     "ldr r5, [%1]\n\tadds r5, #2\n"
                     "1:\t" DEEP_USE_FLOATS "ldr r2, [%1]\n\tcmp r2, r5\n\tbne 1b\n\t"
                     "movs r1, #0\n\tmovs r2, #0\n\tsvc 0\n\tmov sp, r4"
                     :
                     : "r"(sp), "r"(&bulkhead_page.ticks)
                     : "r0", "r1", "r2", "r4", "r5", "cc", "memory");
}

#endif
