// SPDX-License-Identifier: MIT
//
// The end of a run by a trap without a handler.
#ifndef ARCH_FAULT_H
#define ARCH_FAULT_H

#include <stdint.h>

// Entry for trap tables, usable on any stack. Does not return.
void arch_fault_entry(void);

// For a kernel's own handler of exceptions. The arguments are mcause, mepc and mtval.
_Noreturn void platform_report_fault(uint32_t cause, uint32_t pc, uint32_t value);

#endif
