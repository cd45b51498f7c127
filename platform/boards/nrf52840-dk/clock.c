// SPDX-License-Identifier: MIT
//
// Starts the crystal oscillator, so that 64 MHz are as exact as the crystal, and enables the cache
// of instructions in flash memory. The wait states are fixed. Not run on hardware yet.
//
// Source: nRF52840 Product Specification, CLOCK (TASKS_HFCLKSTART, EVENTS_HFCLKSTARTED) and NVMC
// (ICACHECNF).
#include <stdint.h>

#define CLOCK_TASKS_HFCLKSTART (*(volatile uint32_t *)0x40000000u)
#define CLOCK_EVENTS_HFCLKSTARTED (*(volatile uint32_t *)0x40000100u)
#define NVMC_ICACHECNF (*(volatile uint32_t *)0x4001E540u)

__attribute__((constructor(101))) static void set_clock(void) {
    CLOCK_EVENTS_HFCLKSTARTED = 0;
    CLOCK_TASKS_HFCLKSTART = 1;
    while (CLOCK_EVENTS_HFCLKSTARTED == 0) {
    }
    NVMC_ICACHECNF = 1;
}
