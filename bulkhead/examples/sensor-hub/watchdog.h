// SPDX-License-Identifier: MIT
//
// The board's watchdog (Arm DDI 0479, CMSDK APB watchdog): it interrupts by the NMI after its time,
// and resets the system after the same time again. Only the supervisor's process reaches it.
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <stdint.h>

#define WATCHDOG_LOAD (*(volatile uint32_t *)0x40008000u)
#define WATCHDOG_CONTROL (*(volatile uint32_t *)0x40008008u)
#define WATCHDOG_CLEAR (*(volatile uint32_t *)0x4000800Cu)

enum {
    WATCHDOG_RUNS = 3,             // it interrupts, and resets
    WATCHDOG_CYCLES = 25 * 200000, // 200 ms at 25 MHz
};

static inline void watchdog_start(void) {
    WATCHDOG_LOAD = WATCHDOG_CYCLES;
    WATCHDOG_CONTROL = WATCHDOG_RUNS;
}

static inline void watchdog_feed(void) {
    WATCHDOG_CLEAR = 1; // and starts again
}

#endif
