// SPDX-License-Identifier: MIT
//
// A guest whose handler changes its stacked return address. Execution continues in the middle of a
// function, at the start of another, or directly after the handler itself.
#include "guest.h"

static volatile uint32_t landing;

__attribute__((noinline, used)) static void redirect(uint32_t *frame) {
    frame[STACKED_PC] = landing;
}

NAKED void SVC_Handler(void) {
    BENCH_MARK("svcall");
    __asm__ volatile("mov r0, sp\n\t"
                     "push {r4, lr}\n\t"
                     "bl redirect\n\t"
                     "pop {r4, pc}\n\t"
                     ".global after\n\t"
                     "after: nop\n\t"
                     "bx lr");
}

NAKED static void elsewhere(void) {
    __asm__ volatile("nop\n\tnop\n\t"
                     ".global middle\n\t"
                     "middle: nop\n\t"
                     "bx lr");
}

__attribute__((noinline)) static void go(uint32_t address) {
    landing = address;
    SUPERVISOR_CALL();
}

void guest(void) {
    extern const char middle[], after[];
    for (int i = 0; i < 4; i++) {
        go((uint32_t)elsewhere & ~1u);
        go((uint32_t)middle & ~1u);
        go((uint32_t)after & ~1u);
        BENCH_MARK("round");
    }
}
