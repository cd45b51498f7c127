// SPDX-License-Identifier: MIT
//
// The tick, for ports of kernels that leave the timer to the application: the machine timer
// (interrupt 7). Each tick adds one period to mtimecmp, so a late tick does not delay the next one.
//
// BENCH_TIMER_HZ is the rate at which mtime counts while the board's named clock runs.
// BENCH_TICK_HZ is the rate of the tick. The build defines both (docs/reference/contract.md,
// "Time").
//
// Source: RISC-V Privileged Architecture 20211203, 3.2.1 mtime and mtimecmp.
#ifndef ARCH_TICK_H
#define ARCH_TICK_H

#include <arch/machine.h>
#include <stdint.h>

#define ARCH_TICK_COUNTS (BENCH_TIMER_HZ / BENCH_TICK_HZ)

// Sets mtimecmp with three stores, so that no intermediate value is below the new one (RISC-V
// Privileged Architecture 20211203, 3.2.1).
static inline void arch_tick_compare(uint64_t time) {
    ARCH_WORD(ARCH_MTIMECMP) = UINT32_MAX;
    ARCH_WORD(ARCH_MTIMECMP + 4) = (uint32_t)(time >> 32);
    ARCH_WORD(ARCH_MTIMECMP) = (uint32_t)time;
}

// Starts the tick. The kernel enables interrupts globally. mtime starts at 0 with the run, so its
// upper half cannot change during the read.
static inline void arch_tick_start(void) {
    arch_tick_compare(ARCH_WORD(ARCH_MTIME) + (uint64_t)ARCH_TICK_COUNTS);
    __asm__ volatile("csrs mie, %0" ::"r"(ARCH_MIE_TIMER) : "memory");
}

// Sets the time of the next tick. Called in the tick's handler.
static inline void arch_tick_next(void) {
    const uint64_t high = ARCH_WORD(ARCH_MTIMECMP + 4);
    arch_tick_compare((high << 32 | ARCH_WORD(ARCH_MTIMECMP)) + ARCH_TICK_COUNTS);
}

#endif
