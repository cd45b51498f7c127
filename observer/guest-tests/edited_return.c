// SPDX-License-Identifier: MIT
//
// A handler edits its stacked return address: execution goes on in the middle of a function, at the
// start of another, or right behind the handler itself.
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
                     ".global behind\n\t"
                     "behind: nop\n\t"
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
    extern const char middle[], behind[];
    for (int i = 0; i < 4; i++) {
        go((uint32_t)elsewhere & ~1u);
        go((uint32_t)middle & ~1u);
        go((uint32_t)behind & ~1u);
        BENCH_MARK("round");
    }
}
