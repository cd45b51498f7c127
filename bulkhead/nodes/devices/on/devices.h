// SPDX-License-Identifier: MIT
//
// A device of a node interrupts that node, and the kernel gives a semaphore, for which a task of
// any node may wait. The platform quiets the device and names the semaphore (nodes_device).
//
// The build selects this folder or ../off, so that a system without such devices has no code for
// them: under the RTU both kinds of interrupt enter by one line, and a question which of them came
// would cost each switch that the unit asks for.
#ifndef NODES_DEVICES_H
#define NODES_DEVICES_H

#include "machine.h"
#include <bulkhead/nodes.h>
#include <stdbool.h>

static inline void devices_boot(void) {
    nodes_devices_start();
    machine_enable(INTERRUPT_EXTERNAL);
}

// Returns whether an external interrupt is pending. Under the RTU it may be the unit's.
static inline bool device_is_pending(void) {
    return machine_pending() & INTERRUPT_EXTERNAL;
}

// Quiets the device that interrupts this node. Returns the semaphore to give; NODES_SEMAPHORES or
// more if there is no such device.
static inline uint32_t device_quiet(void) {
    return nodes_device();
}

#endif
