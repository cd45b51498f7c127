// SPDX-License-Identifier: MIT
//
// A guest whose stack exceeds its limit (Armv8-M), by an instruction that accesses no memory and by
// a push. The handler lowers the limit, and the instruction is executed again.
#include "guest.h"

NAKED void UsageFault_Handler(void) {
    BENCH_MARK("usagefault");
    __asm__ volatile("movs r0, #0\n\tmsr psplim, r0\n\tbx lr");
}

static uint32_t stack[64] __attribute__((aligned(8)));

#define UNUSED __attribute__((unused))

NAKED static void exceed(void *top UNUSED, void *limit UNUSED) {
    __asm__ volatile("push {r4, r5}\n\t"
                     "mrs r4, control\n\t"
                     "mov r5, r1\n\t"
                     "msr psp, r0\n\t"
                     "orr r0, r4, #2\n\t"
                     "msr control, r0\n\t"
                     "isb\n\t"
                     "msr psplim, r5\n\t"
                     "nop\n\t"
                     "sub sp, #64\n\t"
                     "nop\n\t"
                     "add sp, #64\n\t"
                     "msr psplim, r5\n\t"
                     "nop\n\t"
                     "push {r0-r10, lr}\n\t"
                     "pop {r0-r10, lr}\n\t"
                     "msr control, r4\n\t"
                     "isb\n\t"
                     "pop {r4, r5}\n\t"
                     "bx lr");
}

void guest(void) {
    SHCSR |= SHCSR_ALL_FAULTS;
    for (int i = 0; i < 3; i++) {
        // The limit leaves space for the frame of the exception.
        exceed(&stack[64], &stack[54]);
        BENCH_MARK("round");
    }
}
