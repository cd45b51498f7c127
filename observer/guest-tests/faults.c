// SPDX-License-Identifier: MIT
//
// A guest that causes faults by accesses, undefined instructions and a division by zero, as faults
// with their own handlers and escalated to HardFault. The handlers skip the instruction.
#include "guest.h"

__attribute__((noinline, used)) static void skip(uint32_t *frame) {
    uint16_t first = *(uint16_t *)frame[STACKED_PC];
    frame[STACKED_PC] += first >> 11 > 0x1C ? 4 : 2;
}

#define SKIPPING(name, mark)                                                        \
    NAKED void name(void) {                                                         \
        BENCH_MARK(mark);                                                           \
        __asm__ volatile("mov r0, sp\n\tpush {r4, lr}\n\tbl skip\n\tpop {r4, pc}"); \
    }

SKIPPING(HardFault_Handler, "hardfault")
SKIPPING(BusFault_Handler, "busfault")
SKIPPING(UsageFault_Handler, "usagefault")

static void provoke(void) {
    volatile uint32_t *nowhere = (volatile uint32_t *)0x90000000;
    uint32_t zero = 0, quotient;
    for (int i = 0; i < 3; i++) {
        *nowhere = 1;
        (void)*nowhere;
        __asm__ volatile("nop\n\tudf #0\n\tnop");
        __asm__ volatile("nop\n\tudiv %0, %1, %1\n\tnop" : "=r"(quotient) : "r"(zero));
        BENCH_MARK("round");
    }
}

void guest(void) {
    CCR |= CCR_DIV_0_TRP;
    provoke();
    SHCSR |= SHCSR_ALL_FAULTS;
    provoke();
}
