// SPDX-License-Identifier: MIT
//
// Tasks in user mode, isolated by the processor's protection unit (The RISC-V Instruction Set
// Manual II, "Physical Memory Protection"). Four entries, all naturally aligned powers of two, so
// that one register describes each:
//   0  code and constants: read, execute   2  the task's data: read, write
//   1  the window: read, write             3  the task's stack: read, write
// Only 2 and 3 differ between tasks. The window is the upper half of the global memory, through
// which tasks of all nodes share data; the lower half is the kernel's.
#ifndef NODES_PROTECTION_H
#define NODES_PROTECTION_H

#include <bulkhead/nodes.h>
#include <stdbool.h>

#define PROTECTION_MODE (0u << 11) // mstatus.MPP of a task: user mode
#define PROTECTION_BYTES_MIN 8 // minimum size of a region that is a naturally aligned power of two

// Returns whether an entry of the protection unit can describe the region; otherwise the encoding
// would mean another region.
static inline bool protection_can(const void *memory, uint32_t bytes) {
    return bytes >= PROTECTION_BYTES_MIN && (bytes & (bytes - 1)) == 0 &&
           ((uint32_t)memory & (bytes - 1)) == 0;
}

// Returns the contents of an entry's address register for a region that is aligned to its size: the
// address, followed by as many ones as encode the size.
static inline uint32_t protection_region(const void *memory, uint32_t bytes) {
    return ((uint32_t)memory | (bytes / 2 - 1)) >> 2;
}

// The range of code and constants, defined by the linker script: a power of two, aligned to its
// size.
extern const char nodes_text[], nodes_text_end[];

#define PROTECTION_READ 1u
#define PROTECTION_WRITE 2u
#define PROTECTION_EXECUTE 4u
#define PROTECTION_ALIGNED (3u << 3) // a naturally aligned power of two
#define PROTECTION_DATA (PROTECTION_READ | PROTECTION_WRITE | PROTECTION_ALIGNED)
#define PROTECTION_TEXT (PROTECTION_READ | PROTECTION_EXECUTE | PROTECTION_ALIGNED)

static inline void protection_boot(void) {
    const uint32_t text = protection_region(nodes_text, (uint32_t)(nodes_text_end - nodes_text));
    const uint32_t window = protection_region((void *)NODES_WINDOW, NODES_WINDOW_BYTES);
    const uint32_t entries =
        PROTECTION_TEXT | PROTECTION_DATA << 8 | PROTECTION_DATA << 16 | PROTECTION_DATA << 24;
    __asm__ volatile("csrw pmpaddr0, %0" ::"r"(text));
    __asm__ volatile("csrw pmpaddr1, %0" ::"r"(window));
    __asm__ volatile("csrw pmpcfg0, %0" ::"r"(entries));
}

#endif
