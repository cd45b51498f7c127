// SPDX-License-Identifier: MIT
//
// The clock by which processor time is measured (budgets, times, trace): cycles, computed from the
// count of ticks and the counter of SysTick. The counter is read only in exceptions that the tick
// cannot interrupt, so this code itself counts a tick that is pending.
//
// Source: Armv7-M Architecture Reference Manual (DDI 0403E) B3.2.4 ICSR, B3.3 SysTick.
#include "options/budget.h"

#define SYSTICK_RELOAD (*(volatile uint32_t *)0xE000E014u)
#define SYSTICK_CURRENT (*(volatile uint32_t *)0xE000E018u)
#define ICSR_PENDSTSET (1u << 26)

uint32_t arch_clock_tick(void) {
    return SYSTICK_RELOAD + 1;
}

// Returns the time in cycles. The counter is 0 in the cycle in which the tick is pended, then
// counts down from the reload value. If a tick is pending, the first reading may be older than that
// tick, so the counter is read again.
uint32_t arch_clock(void) {
    const uint32_t period = arch_clock_tick();
    uint32_t ticks = kernel.ticks, left = SYSTICK_CURRENT;
    if (ARCH_ICSR & ICSR_PENDSTSET) {
        ticks++;
        left = SYSTICK_CURRENT;
    }
    return ticks * period + (left == 0 ? 0 : period - left);
}
