// SPDX-License-Identifier: MIT
//
// The record of faults and resets, which survives a reset: record.c.
#ifndef KERNEL_RECORD_H
#define KERNEL_RECORD_H

#include "kernel.h"
#include <bulkhead/record.h>

// --- The architecture's part: arch/*/options/reset.c ---------------------------------------------

struct arch_place {
    // where the kernel faulted, and the processor's status word with the reason
    uint32_t pc, status;
};

// Returns where the kernel faulted before it called arch_panic.
struct arch_place arch_panic_place(void);

// Resets the processor and its devices. Memory keeps its contents.
_Noreturn void arch_reset_system(void);

// For the interrupt of a watchdog: writes an entry and resets the system.
_Noreturn void record_watchdog(uint32_t pc);
_Noreturn void record_panic(void);

#endif
