// SPDX-License-Identifier: MIT
//
// The tick, for ports of kernels that leave the timer to the application: the virtual timer of the
// generic timer, which interrupts by the GIC (arch/interrupt.h). Each tick adds one period to the
// compare value, so a late tick does not delay the next one.
//
// BENCH_TIMER_HZ is the rate at which the timer counts while the board's named clock runs.
// BENCH_TICK_HZ is the rate of the tick. The build defines both (docs/reference/contract.md,
// "Time").
//
// Source: Armv7-A Architecture Reference Manual (DDI 0406C) B4.1.33 CNTV_CTL, B4.1.34 CNTV_CVAL,
// B4.1.30 CNTVCT.
#ifndef ARCH_TICK_H
#define ARCH_TICK_H

#include <arch/interrupt.h>
#include <stdint.h>

#define ARCH_TICK_COUNTS (BENCH_TIMER_HZ / BENCH_TICK_HZ)

static inline void arch_tick_compare(uint64_t time) {
    __asm__ volatile("mcrr p15, 3, %Q0, %R0, c14" ::"r"(time) : "memory");
}

// Starts the tick with the GIC's priority `priority`. The kernel enables interrupts.
static inline void arch_tick_start(uint8_t priority) {
    uint64_t now;
    __asm__ volatile("mrrc p15, 1, %Q0, %R0, c14" : "=r"(now));
    arch_tick_compare(now + ARCH_TICK_COUNTS);
    __asm__ volatile("mcr p15, 0, %0, c14, c3, 1" ::"r"(1) : "memory"); // enabled, not masked
    arch_gic_enable(ARCH_TIMER_INTERRUPT, priority);
}

// Sets the time of the next tick, which also clears the interrupt of this tick. Called in the
// tick's handler.
static inline void arch_tick_next(void) {
    uint64_t last;
    __asm__ volatile("mrrc p15, 3, %Q0, %R0, c14" : "=r"(last));
    arch_tick_compare(last + ARCH_TICK_COUNTS);
}

#endif
