// SPDX-License-Identifier: MIT
//
// A driver that measures how late it serves its device: the thread `device` of a declaration, with
// the entry device_main.
#ifndef LATE_DRIVER_H
#define LATE_DRIVER_H

#include <stdint.h>

extern volatile uint32_t late_driver_latest_cycles; // a test may clear it
extern volatile uint32_t late_driver_interrupts;

#endif
