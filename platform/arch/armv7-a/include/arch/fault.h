// SPDX-License-Identifier: MIT
//
// Ends the run after an exception without a handler: entries for vector tables, and the report.
#ifndef ARCH_FAULT_H
#define ARCH_FAULT_H

#include <stdint.h>

// `exception` is the number of the entry in the vector table, `pc` the address of the instruction.
_Noreturn void platform_report_fault(uint32_t exception, uint32_t pc);

#endif
