// SPDX-License-Identifier: MIT
//
// A guest with three nested interrupts: each is pre-empted by the next, inside a function call.
#include "guest.h"

__attribute__((noinline)) static void pend(unsigned irq) {
    pend_irq(irq);
    __asm__ volatile("nop");
}

void Interrupt0_Handler(void) {
    BENCH_MARK("irq0");
    pend(1);
    BENCH_MARK("irq0.after");
    pend(1);
}

void Interrupt1_Handler(void) {
    BENCH_MARK("irq1");
    pend(2);
    BENCH_MARK("irq1.after");
}

void Interrupt2_Handler(void) {
    BENCH_MARK("irq2");
}

void guest(void) {
    enable_irq(0, 0xC0);
    enable_irq(1, 0x80);
    enable_irq(2, 0x40);
    for (int i = 0; i < 5; i++) {
        pend(0);
    }
}
