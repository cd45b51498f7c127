// SPDX-License-Identifier: MIT
//
// A thread's registers on RV32: x1 to x31 in their order, by their names in the calling convention.
#ifndef BULKHEAD_REGISTERS_H
#define BULKHEAD_REGISTERS_H

#include <stdint.h>

struct bulkhead_registers {
    uint32_t ra, sp, gp, tp, t0_to_t2[3], s0, s1, a[8], s2_to_s11[10], t3_to_t6[4];
    uint32_t pc;
};

#endif
