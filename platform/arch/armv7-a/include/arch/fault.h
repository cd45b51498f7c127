// SPDX-License-Identifier: MIT
//
// The end of a run by an exception without a handler. Entries for vector tables, and the report.
#ifndef ARCH_FAULT_H
#define ARCH_FAULT_H

#include <stdint.h>

// `exception` is the number of the entry in the vector table, `pc` the address of the instruction.
_Noreturn void platform_report_fault(uint32_t exception, uint32_t pc);

#endif
