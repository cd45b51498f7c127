// SPDX-License-Identifier: MIT
//
// For drivers that measure their own delay: waits for the interrupt of the device, and measures how
// late the driver runs.
#ifndef DEVICE_WAIT_H
#define DEVICE_WAIT_H

#include "device.h"
#include "handles.h"
#include <bulkhead/bulkhead.h>

// Waits for an interrupt of the device and acknowledges the interrupt. Returns the cycles since the
// device raised the interrupt.
static inline uint32_t device_wait(void) {
    bulkhead_interrupt_wait(INTERRUPT_DEVICE, BULKHEAD_FOREVER);
    const uint32_t late_cycles = device_late_cycles();
    device_acknowledge();
    return late_cycles;
}

#endif
