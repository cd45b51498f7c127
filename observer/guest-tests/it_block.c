// SPDX-License-Identifier: MIT
//
// A guest with an interrupt, an SVC and conditional accesses in IT blocks. The store to STIR
// accesses a device, where QEMU ends the block of code. The interrupt is therefore taken inside the
// IT block and returns into it.
#include "guest.h"

static volatile uint32_t words[4];

void Interrupt0_Handler(void) {
    BENCH_MARK("irq0");
}

void SVC_Handler(void) {
    BENCH_MARK("svcall");
}

static void conditionally(uint32_t condition) {
    __asm__ volatile("cmp %0, #1\n\t"
                     "itttt eq\n\t"
                     "streq %1, [%2]\n\t" // pends
                     "ldreq r12, [%3]\n\t"
                     "addeq r12, #1\n\t"
                     "streq r12, [%3, #4]\n\t"
                     "itete ne\n\t"
                     "strne r12, [%3, #8]\n\t"
                     "ldreq r12, [%3, #8]\n\t"
                     "svcne 0\n\t"
                     "svceq 0\n\t" ::"r"(condition),
                     "r"(0), "r"(&STIR), "r"(words)
                     : "r12", "cc", "memory");
}

void guest(void) {
    enable_irq(0, 0x40);
    for (uint32_t i = 0; i < 10; i++) {
        conditionally(i & 1);
        BENCH_MARK("round");
    }
}
