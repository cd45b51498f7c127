// SPDX-License-Identifier: MIT
//
// The frame of a task that does not run, on its stack: what the package's own RISC-V port saves,
// all registers but gp and tp. For C and for assembler.
#ifndef FREERTOS_SMP_FRAME_H
#define FREERTOS_SMP_FRAME_H

// Words from the top of the stack: mepc, ra, t0 … t2, s0, s1, a0 … a7, s2 … s11, t3 … t6, mstatus.
#define FRAME_PC 0
#define FRAME_RA 1
#define FRAME_A0 7
#define FRAME_STATUS 29
#define FRAME_WORDS 32 // a multiple of the stack's alignment

#endif
