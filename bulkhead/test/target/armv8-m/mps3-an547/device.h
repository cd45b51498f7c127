// SPDX-License-Identifier: MIT
//
// The clock of the board for the tests, in the Secure state (Arm SSE-300 example subsystem, system
// timer 0): it shows the system counter, which open_timers.c has started. The counter counts 32
// times in 1000 instructions. A cycle is as many instructions as a count of the timers of the
// Armv7-M machines (40). This board has no device for the tests that need one.
#ifndef DEVICE_H
#define DEVICE_H

#include <stdint.h>

#define COUNTER_LOW (*(volatile uint32_t *)0x58000000u)
#define COUNTER_HIGH (*(volatile uint32_t *)0x58000004u)

enum { COUNTS = 32, CYCLES = 25 }; // 32 counts are 25 cycles

static uint64_t clock_began;

static inline uint64_t clock_counts(void) {
    const uint32_t low = COUNTER_LOW;
    return (uint64_t)COUNTER_HIGH << 32 | low;
}

static inline void clock_start(void) {
    clock_began = clock_counts();
}

// Returns the cycles since the clock was started.
static inline uint32_t clock_cycles(void) {
    return (uint32_t)((clock_counts() - clock_began) * CYCLES / COUNTS);
}

#endif
