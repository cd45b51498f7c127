// SPDX-License-Identifier: MIT
//
// The tick, for ports of kernels that leave the timer to their user: the machine timer (interrupt
// 7), whose comparand moves on by a period at each tick, so that none is late because one was.
//
// BENCH_TIMER_HZ is the rate at which mtime counts while the board's named clock runs,
// BENCH_TICK_HZ the tick's; the build passes both (docs/porting.md, "Time").
//
// Source: RISC-V Privileged Architecture 20211203, 3.2.1 mtime and mtimecmp.
#ifndef ARCH_TICK_H
#define ARCH_TICK_H

#include <arch/machine.h>
#include <stdint.h>

#define ARCH_TICK_COUNTS (BENCH_TIMER_HZ / BENCH_TICK_HZ)

// In three stores none of which makes the comparand less than it is to become.
static inline void arch_tick_compare(uint64_t time) {
    ARCH_WORD(ARCH_MTIMECMP) = UINT32_MAX;
    ARCH_WORD(ARCH_MTIMECMP + 4) = (uint32_t)(time >> 32);
    ARCH_WORD(ARCH_MTIMECMP) = (uint32_t)time;
}

// Starts the tick; the kernel enables interrupts themselves. mtime begins at 0 with the run, so
// that its upper half cannot change meanwhile.
static inline void arch_tick_start(void) {
    arch_tick_compare(ARCH_WORD(ARCH_MTIME) + (uint64_t)ARCH_TICK_COUNTS);
    __asm__ volatile("csrs mie, %0" ::"r"(ARCH_MIE_TIMER) : "memory");
}

// The next tick. In the tick's handler.
static inline void arch_tick_next(void) {
    const uint64_t high = ARCH_WORD(ARCH_MTIMECMP + 4);
    arch_tick_compare((high << 32 | ARCH_WORD(ARCH_MTIMECMP)) + ARCH_TICK_COUNTS);
}

#endif
