// SPDX-License-Identifier: MIT
//
// A guest that also calls its handlers as functions, by BL and by BLX, which is no exception. Other
// handlers end in tail calls.
#include "guest.h"

static volatile uint32_t count;

__attribute__((noinline)) static void increment(void) {
    count++;
}

static void (*volatile action)(void) = 0;

void Interrupt0_Handler(void) {
    BENCH_MARK("irq0");
    increment(); // a tail call: B
}

void Interrupt1_Handler(void) {
    BENCH_MARK("irq1");
    action(); // a tail call through a pointer: BX
}

// This handler has no mark: the observer learns only at its return that it was called as a
// function.
void Interrupt2_Handler(void) {
    increment();
    count++;
}

void guest(void) {
    void (*volatile handler)(void) = Interrupt2_Handler;
    action = increment;
    enable_irq(0, 0x40);
    enable_irq(1, 0x40);
    for (int i = 0; i < 5; i++) {
        Interrupt0_Handler();
        pend_irq(0);
        pend_irq(1);
        Interrupt0_Handler();
        handler();
        BENCH_MARK("round");
    }
}
