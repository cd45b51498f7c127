// SPDX-License-Identifier: MIT
//
// The registers of a thread on Armv7-M, as the report of a fault has them.
#ifndef BULKHEAD_REGISTERS_H
#define BULKHEAD_REGISTERS_H

#include <stdint.h>

struct bulkhead_registers {
    uint32_t r4_to_r11[8];
    uint32_t sp; // the value after the processor stacked the frame of the fault
    uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
};

#endif
