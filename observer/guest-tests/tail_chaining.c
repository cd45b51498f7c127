// SPDX-License-Identifier: MIT
//
// A guest whose handler pends two exceptions that cannot pre-empt it: one of the same priority, one
// of lower priority.
#include "guest.h"

void Interrupt0_Handler(void) {
    BENCH_MARK("irq0");
    pend_irq(1);
    ICSR = ICSR_PENDSVSET;
    BARRIER();
    BENCH_MARK("irq0.after");
}

void Interrupt1_Handler(void) {
    BENCH_MARK("irq1");
}

void PendSV_Handler(void) {
    BENCH_MARK("pendsv");
}

void guest(void) {
    SHPR(14) = 0xFF;
    enable_irq(0, 0x40);
    enable_irq(1, 0x40);
    for (int i = 0; i < 5; i++) {
        NVIC_ISPR = 1;
        BARRIER();
    }
}
