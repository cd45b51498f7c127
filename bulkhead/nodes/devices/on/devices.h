// SPDX-License-Identifier: MIT
//
// Interrupts of devices: a device of a node interrupts that node, and the kernel gives a semaphore,
// for which a task of any node may wait. The platform's nodes_device clears the interrupt and names
// the semaphore.
//
// The build selects this folder or ../off, so that a system without such devices has no code for
// them: with the RTU, both kinds of interrupt have one line, and finding out which of them came
// would add to the cost of each switch that the unit requests.
#ifndef NODES_DEVICES_H
#define NODES_DEVICES_H

#include "machine.h"
#include <bulkhead/nodes.h>
#include <stdbool.h>

static inline void devices_boot(void) {
    nodes_devices_start();
    machine_enable(INTERRUPT_EXTERNAL);
}

// Returns whether an external interrupt is pending. With the RTU, it may be the interrupt of the
// RTU.
static inline bool device_is_pending(void) {
    return machine_pending() & INTERRUPT_EXTERNAL;
}

// Clears the interrupt of the device that interrupts this node. Returns the semaphore to give;
// NODES_SEMAPHORES or more if no device interrupts.
static inline uint32_t device_quiet(void) {
    return nodes_device();
}

#endif
