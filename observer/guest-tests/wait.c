// SPDX-License-Identifier: MIT
//
// A guest in which SysTick wakes the processor from WFI and interrupts a computation, and finally
// pends while it is masked.
#include "guest.h"

static volatile uint32_t ticks;

void SysTick_Handler(void) {
    BENCH_MARK("systick");
    ticks++;
}

void guest(void) {
    SYST_RVR = 999;
    SYST_CVR = 0;
    SYST_CSR = 7;
    while (ticks < 5) {
        __asm__ volatile("wfi");
    }
    while (ticks < 10) {
    }
    __asm__ volatile("cpsid i\n\twfi\n\tnop\n\tcpsie i\n\tisb" ::: "memory");
    SYST_CSR = 0;
}
