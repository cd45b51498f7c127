// SPDX-License-Identifier: MIT
//
// The tick, for ports of kernels that leave the timer to the application: SysTick, which enters
// SysTick_Handler.
//
// BENCH_TIMER_HZ is the rate at which SysTick counts while the board's named clock runs.
// BENCH_TICK_HZ is the rate of the tick. The build defines both (docs/reference/contract.md,
// "Time").
//
// Source: Armv7-M Architecture Reference Manual (DDI 0403E) B3.3 SysTick, B3.2.12 SHPR3.
#ifndef ARCH_TICK_H
#define ARCH_TICK_H

#include <stdint.h>

#define ARCH_SYSTICK_CONTROL (*(volatile uint32_t *)0xE000E010u)
#define ARCH_SYSTICK_RELOAD (*(volatile uint32_t *)0xE000E014u)
#define ARCH_SYSTICK_CURRENT (*(volatile uint32_t *)0xE000E018u)
#define ARCH_SYSTICK_RUN 7u // enabled, with interrupt, on the processor's clock
#define ARCH_SYSTICK_PRIORITY (*(volatile uint8_t *)0xE000ED23u)

// Starts a tick of `hz` with the exception priority `priority`.
static inline void arch_tick_start(uint32_t hz, uint8_t priority) {
    ARCH_SYSTICK_PRIORITY = priority;
    ARCH_SYSTICK_RELOAD = BENCH_TIMER_HZ / hz - 1;
    ARCH_SYSTICK_CURRENT = 0;
    ARCH_SYSTICK_CONTROL = ARCH_SYSTICK_RUN;
}

#endif
