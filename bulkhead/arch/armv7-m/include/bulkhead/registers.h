// SPDX-License-Identifier: MIT
//
// A thread's registers on Armv7-M.
#ifndef BULKHEAD_REGISTERS_H
#define BULKHEAD_REGISTERS_H

#include <stdint.h>

struct bulkhead_registers {
    uint32_t r4_to_r11[8];
    uint32_t sp; // after the processor stacked the frame of the fault
    uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
};

#endif
