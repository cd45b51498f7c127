// SPDX-License-Identifier: MIT
//
// Ends the run after a trap without a handler.
#ifndef ARCH_FAULT_H
#define ARCH_FAULT_H

#include <stdint.h>

// Entry for trap tables, usable on any stack. Does not return.
void arch_fault_entry(void);

// Reports a fault, for a kernel's own handler of exceptions. The arguments are mcause, mepc, mtval.
_Noreturn void platform_report_fault(uint32_t cause, uint32_t pc, uint32_t value);

#endif
