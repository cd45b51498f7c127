// SPDX-License-Identifier: MIT
//
// A guest that moves its vector table to RAM and installs other handlers there.
#include "guest.h"

static void (*table[32])(void) __attribute__((aligned(128)));

static void supervisor(void) {
    BENCH_MARK("svcall");
}

static void interrupt(void) {
    BENCH_MARK("irq0");
}

void guest(void) {
    extern void (*const vectors[])(void);
    for (int i = 0; i < 16; i++) {
        table[i] = vectors[i];
    }
    table[11] = supervisor;
    table[16] = interrupt;
    VTOR = (uint32_t)table;
    BARRIER();
    enable_irq(0, 0x40);
    for (int i = 0; i < 5; i++) {
        SUPERVISOR_CALL();
        pend_irq(0);
    }
}
