// SPDX-License-Identifier: MIT
//
// No protection: tasks run in machine mode and share all memory.
#ifndef NODES_PROTECTION_H
#define NODES_PROTECTION_H

#include <stdbool.h>
#include <stdint.h>

#define PROTECTION_MODE 0x1800u // mstatus.MPP of a task: machine mode

static inline void protection_boot(void) {
}

static inline uint32_t protection_stack_region(const void *stack, uint32_t bytes) {
    (void)stack;
    (void)bytes;
    return 0;
}

#endif
