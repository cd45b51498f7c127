// SPDX-License-Identifier: MIT
//
// The driver process's counts and orders. They are in its memory, which it shares with its user;
// after a restart the memory is as in the image.
#ifndef DRIVEN_H
#define DRIVEN_H

#include <stdint.h>

struct driven {
    uint32_t timers;   // interrupts of the timer that the timer caused
    uint32_t spurious; // others
    uint32_t edges;    // interrupts of the pended line
    uint32_t holds;    // the thread of that line waits for a notification before it acknowledges
    uint32_t crashes;  // or faults, with its line masked
};

extern volatile struct driven driven;

#endif
