// SPDX-License-Identifier: MIT
//
// The board's watchdog (Arm DDI 0479, CMSDK APB watchdog). If it is not cleared for its time, it
// interrupts by the NMI, and after the same time again it resets the system. Only the supervisor's
// process has access to it.
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <stdint.h>

#define WATCHDOG_LOAD (*(volatile uint32_t *)0x40008000u)
#define WATCHDOG_CONTROL (*(volatile uint32_t *)0x40008008u)
#define WATCHDOG_CLEAR (*(volatile uint32_t *)0x4000800Cu)

enum {
    WATCHDOG_RUNS = 3,             // enables the interrupt and the reset
    WATCHDOG_CYCLES = 25 * 200000, // 200 ms at 25 MHz
};

static inline void watchdog_start(void) {
    WATCHDOG_LOAD = WATCHDOG_CYCLES;
    WATCHDOG_CONTROL = WATCHDOG_RUNS;
}

static inline void watchdog_feed(void) {
    WATCHDOG_CLEAR = 1; // also restarts its time
}

#endif
