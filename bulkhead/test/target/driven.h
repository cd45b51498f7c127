// SPDX-License-Identifier: MIT
//
// Counters of the driver process of driver.c, and orders from the test to that process. They are in
// memory of the driver process, which the test may also access. A restart of the process sets this
// memory to its initial values.
#ifndef DRIVEN_H
#define DRIVEN_H

#include <stdint.h>

struct driven {
    uint32_t timers;   // interrupts on the timer's line while the timer requested an interrupt
    uint32_t spurious; // interrupts on the timer's line without a request of the timer
    uint32_t edges;    // interrupts on the line that software pends
    // Order: the thread of that line waits for a notification before it acknowledges.
    uint32_t holds;
    uint32_t crashes; // order: that thread faults before it acknowledges, while its line is masked
};

extern volatile struct driven driven;

#endif
