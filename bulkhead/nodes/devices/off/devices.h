// SPDX-License-Identifier: MIT
//
// Replaces ../on/devices.h in a system in which no device interrupts a node.
#ifndef NODES_DEVICES_H
#define NODES_DEVICES_H

#include <bulkhead/nodes.h>
#include <stdbool.h>

static inline void devices_boot(void) {
}

static inline bool device_is_pending(void) {
    return false;
}

// Returns the number that stands for no semaphore.
static inline uint32_t device_quiet(void) {
    return NODES_SEMAPHORES;
}

#endif
