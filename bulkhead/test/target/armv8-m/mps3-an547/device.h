// SPDX-License-Identifier: MIT
//
// Two timers of the board for the tests, in the Secure state (Arm SSE-300 example subsystem, system
// timers 0 and 1). Both show the system counter, which open_timers.c has started and which counts
// 32 times in 1000 instructions. A cycle is as many instructions as a count of the timers of the
// Armv7-M machines (40). Timer 0 is the clock. Timer 1 is the device: it interrupts while the
// counter is at or above a compare value, which software moves on by a period.
//
// The device does not use the mode in which the timer moves its own compare value. QEMU 7.2 then
// starts each period when it handles the end of the former one, so that no period is exact. It also
// rounds the time of a count down to a nanosecond, at which the counter has not reached that count,
// and handles the same time again and again. Therefore each compare value is a multiple of 4
// counts, which are 125 ns. No test takes 2^32 counts.
#ifndef DEVICE_H
#define DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#define COUNTER_LOW (*(volatile uint32_t *)0x58000000u)
#define COUNTER_HIGH (*(volatile uint32_t *)0x58000004u)
#define DEVICE_COUNTER (*(volatile uint32_t *)0x58001000u)
#define DEVICE_COMPARE_LOW (*(volatile uint32_t *)0x58001020u)
#define DEVICE_COMPARE_HIGH (*(volatile uint32_t *)0x58001024u)
#define DEVICE_CONTROL (*(volatile uint32_t *)0x5800102Cu)

enum { COUNTS = 32, CYCLES = 25 }; // 32 counts are 25 cycles
enum { EXACT_COUNTS = 4 };
enum { DEVICE_RUNS = 1 << 0, DEVICE_INTERRUPTS = 1 << 2 };

static uint64_t clock_began;
static uint32_t device_period_counts, device_due;

// Makes the device interrupt every `cycles` cycles, from the next period on.
static inline void device_change(uint32_t cycles) {
    device_period_counts = cycles * COUNTS / CYCLES / EXACT_COUNTS * EXACT_COUNTS;
}

static inline void device_start(uint32_t cycles) {
    device_change(cycles);
    device_due = (DEVICE_COUNTER + device_period_counts) / EXACT_COUNTS * EXACT_COUNTS;
    DEVICE_COMPARE_HIGH = 0;
    DEVICE_COMPARE_LOW = device_due;
    DEVICE_CONTROL = DEVICE_RUNS;
}

// Stops the device, which clears its interrupt.
static inline void device_stop(void) {
    DEVICE_CONTROL = 0;
}

static inline bool device_interrupts(void) {
    return (DEVICE_CONTROL & DEVICE_INTERRUPTS) != 0;
}

// Returns the cycles since the device began to interrupt.
static inline uint32_t device_late_cycles(void) {
    return (DEVICE_COUNTER - device_due) * CYCLES / COUNTS;
}

// Moves the compare value to the next period that is not over.
static inline void device_acknowledge(void) {
    do {
        device_due += device_period_counts;
    } while ((int32_t)(device_due - DEVICE_COUNTER) <= 0);
    DEVICE_COMPARE_LOW = device_due;
}

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
