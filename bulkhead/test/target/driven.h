// SPDX-License-Identifier: MIT
//
// What the driver process shows, and is told. Its memory, which the user of it shares; after a
// restart it is as in the image.
#ifndef DRIVEN_H
#define DRIVEN_H

#include <stdint.h>

struct driven {
    uint32_t timers;   // interrupts of the timer that the timer had a reason for
    uint32_t spurious; // others
    uint32_t edges;    // interrupts of the requested line
    uint32_t holds;    // the thread of that line waits for a notification before it acknowledges
    uint32_t crashes;  // or crashes, with its line masked
};

extern volatile struct driven driven;

#endif
