// SPDX-License-Identifier: MIT
//
// The clock by which processor time is measured (budgets, times, trace): counts of mtime.
//
// Source: Privileged Architecture (version 20211203) 3.2.1 mtime. The address of mtime depends on
// the machine; QEMU's `virt` has the address that SiFive's CLINT has.
#include "options/budget.h"

#define MTIME_LOW (*(volatile uint32_t *)0x0200BFF8u)

uint32_t arch_clock(void) {
    return MTIME_LOW;
}

uint32_t arch_clock_tick(void) {
    return BULKHEAD_TICK_CYCLES;
}
