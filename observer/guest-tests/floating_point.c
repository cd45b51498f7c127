// SPDX-License-Identifier: MIT
//
// A guest with interrupts over floating-point state, which the processor saves only when the
// handler uses the unit (lazy stacking).
#include "guest.h"

static volatile float value, other;

void Interrupt0_Handler(void) {
    BENCH_MARK("irq0");
    pend_irq(1);
}

void Interrupt1_Handler(void) {
    BENCH_MARK("irq1");
    other = other * 2.0f + 1.0f;
}

void guest(void) {
    CPACR |= 0xFu << 20;
    BARRIER();
    enable_irq(0, 0x80);
    enable_irq(1, 0x40);
    for (int i = 0; i < 5; i++) {
        value = value * 0.5f + 3.0f;
        pend_irq(0);
        value += 1.0f;
    }
}
