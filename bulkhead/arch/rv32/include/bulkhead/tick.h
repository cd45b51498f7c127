// SPDX-License-Identifier: MIT
//
// For start-up code: the tick on the machine timer.
#ifndef BULKHEAD_TICK_H
#define BULKHEAD_TICK_H

#include <stdint.h>

// Begins now, and interrupts every so many counts of mtime from the kernel's start on.
void bulkhead_tick_start(uint32_t counts);

#endif
