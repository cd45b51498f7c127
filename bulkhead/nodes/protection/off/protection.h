// SPDX-License-Identifier: MIT
//
// No protection: tasks run in machine mode and share all memory.
#ifndef NODES_PROTECTION_H
#define NODES_PROTECTION_H

#include <bulkhead/nodes.h>
#include <stdbool.h>

#define PROTECTION_MODE (3u << 11) // mstatus.MPP of a task: machine mode

static inline void protection_boot(void) {
}

static inline bool protection_can(const void *memory, uint32_t bytes) {
    (void)memory;
    (void)bytes;
    return true;
}

static inline uint32_t protection_region(const void *memory, uint32_t bytes) {
    (void)memory;
    (void)bytes;
    return 0;
}

#endif
