// SPDX-License-Identifier: MIT
//
// The first step of each driver of a device, and how late the driver takes it.
#ifndef DEVICE_WAIT_H
#define DEVICE_WAIT_H

#include "device.h"
#include "handles.h"
#include <bulkhead/bulkhead.h>

// Waits for an interrupt of the device and acknowledges it. Returns the cycles since it began.
static inline uint32_t device_wait(void) {
    bulkhead_interrupt_wait(INTERRUPT_DEVICE, BULKHEAD_FOREVER);
    const uint32_t late_cycles = device_late_cycles();
    device_acknowledge();
    return late_cycles;
}

#endif
