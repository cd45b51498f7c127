// SPDX-License-Identifier: MIT
//
// The record that survives a reset: record.c.
#ifndef KERNEL_RECORD_H
#define KERNEL_RECORD_H

#include "kernel.h"
#include <bulkhead/record.h>

// --- The architecture's part: arch/*/options/reset.c ---------------------------------------------

struct arch_place {
    uint32_t pc, status; // where the kernel faulted, and the processor's word of the reason
};

// Returns where the kernel faulted before arch_panic.
struct arch_place arch_panic_place(void);

// Resets the processor and its devices. What was written to memory stays.
_Noreturn void arch_reset_system(void);

// For it: writes an entry and resets.
_Noreturn void record_watchdog(uint32_t pc);
_Noreturn void record_panic(void);

#endif
