// SPDX-License-Identifier: MIT
//
// The board's watchdog (Arm Cortex-M System Design Kit, DDI 0479, 4.5, APB watchdog). If it is not
// served in time, it pends the NMI; after the same time again, it resets the system.
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <stdint.h>
#include <watchdog_place.h>

#define WATCHDOG_LOAD (*(volatile uint32_t *)WATCHDOG)
#define WATCHDOG_CONTROL (*(volatile uint32_t *)(WATCHDOG + 0x8))
#define WATCHDOG_CLEAR (*(volatile uint32_t *)(WATCHDOG + 0xC))

enum { WATCHDOG_RUN = 3 }; // control register: enables the interrupt and the reset

static inline void watchdog_start(uint32_t counts) {
    WATCHDOG_LOAD = counts;
    WATCHDOG_CONTROL = WATCHDOG_RUN;
}

static inline void watchdog_feed(void) {
    WATCHDOG_CLEAR = 1;
}

#endif
