// SPDX-License-Identifier: MIT
//
// Two timers of the board for the tests (Arm Cortex-M System Design Kit, DDI 0479, 4.3, APB timer).
// The second timer is the device: it interrupts, and holds its interrupt line until software clears
// the interrupt. The first timer is the clock. Both count at the rate of SysTick.
#ifndef DEVICE_H
#define DEVICE_H

#include <device_places.h>
#include <stdbool.h>
#include <stdint.h>

#define CLOCK_CTRL (*(volatile uint32_t *)DEVICE_TIMERS)
#define CLOCK_VALUE (*(volatile uint32_t *)(DEVICE_TIMERS + 0x4)) // counts down
#define DEVICE_CTRL (*(volatile uint32_t *)(DEVICE_TIMERS + 0x1000))
#define DEVICE_VALUE (*(volatile uint32_t *)(DEVICE_TIMERS + 0x1004))
#define DEVICE_RELOAD (*(volatile uint32_t *)(DEVICE_TIMERS + 0x1008))
#define DEVICE_INTCLEAR \
    (*(volatile uint32_t *)(DEVICE_TIMERS + 0x100C)) // reads as 1 while the device interrupts

enum { TIMER_RUN = 1, TIMER_RUN_INTERRUPTING = 9 };

static inline void device_start(uint32_t cycles) {
    DEVICE_RELOAD = cycles;
    DEVICE_VALUE = cycles;
    DEVICE_CTRL = TIMER_RUN_INTERRUPTING;
}

// Stops the device, and clears a pending interrupt.
static inline void device_stop(void) {
    DEVICE_CTRL = 0;
    DEVICE_INTCLEAR = 1;
}

static inline bool device_interrupts(void) {
    return DEVICE_INTCLEAR != 0;
}

// Returns the cycles since the device began to interrupt.
static inline uint32_t device_late_cycles(void) {
    return DEVICE_RELOAD - DEVICE_VALUE;
}

static inline void device_acknowledge(void) {
    DEVICE_INTCLEAR = 1;
}

// Makes the device interrupt every `cycles` cycles from now on.
static inline void device_change(uint32_t cycles) {
    DEVICE_RELOAD = cycles; // the first period starts from this value too
}

static inline void clock_start(void) {
    CLOCK_VALUE = UINT32_MAX;
    CLOCK_CTRL = TIMER_RUN;
}

// Returns the cycles since the clock was started.
static inline uint32_t clock_cycles(void) {
    return UINT32_MAX - CLOCK_VALUE;
}

#endif
