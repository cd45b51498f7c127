// SPDX-License-Identifier: MIT
//
// For the test `stacks`: puts the stack pointer of a thread at the end of its stack. On RV32 the
// kernel stores nothing on a thread's stack, so a stack overflows only by an access of the thread
// itself.
#ifndef DEEP_H
#define DEEP_H

#include <bulkhead/bulkhead.h>

// Distance from the lowest address of a stack's region: the first word below it.
#define DEEP_TOO_FAR (-4)

// Writes to the word at `sp`, waits there for two ticks, and makes a call.
static inline void deep_wait(uint32_t sp) {
    __asm__ volatile("mv s2, sp\n\tmv sp, %0\n\tsw s2, 0(sp)\n\t"
                     "lw s3, 0(%1)\n\taddi s3, s3, 2\n"
                     "1:\tlw s4, 0(%1)\n\tbne s3, s4, 1b\n\t"
                     "li a0, 0\n\tli a1, 0\n\tecall\n\tmv sp, s2"
                     :
                     : "r"(sp), "r"(&bulkhead_page.ticks)
                     : "s2", "s3", "s4", "a0", "a1", "a2", "a3", "memory");
}

#endif
