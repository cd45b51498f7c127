// SPDX-License-Identifier: MIT
//
// A thread that serves a device and measures the delay from the interrupt to its own start. A test
// declares it as the thread `device` with the entry device_main.
#ifndef LATE_DRIVER_H
#define LATE_DRIVER_H

#include <stdint.h>

extern volatile uint32_t late_driver_latest_cycles; // longest delay so far; a test may set it to 0
extern volatile uint32_t late_driver_interrupts;

#endif
