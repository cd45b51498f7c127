// SPDX-License-Identifier: MIT
//
// The tick on the machine timer, for start-up code.
#ifndef BULKHEAD_TICK_H
#define BULKHEAD_TICK_H

#include <stdint.h>

// Starts the tick with a period of `counts` of mtime. The first tick interrupts after the kernel
// has started.
void bulkhead_tick_start(uint32_t counts);

#endif
