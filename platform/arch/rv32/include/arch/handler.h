// SPDX-License-Identifier: MIT
//
// For assembler: what stands around a C function that handles an interrupt on the stack of whatever
// it interrupted, for kernels that have no such entry of their own.
#ifndef ARCH_HANDLER_H
#define ARCH_HANDLER_H

#define ARCH_HANDLER_BYTES 64

// Saves what a C function may change.
.macro ARCH_HANDLER_BEGIN
    addi sp, sp, -ARCH_HANDLER_BYTES
    sw ra, 0(sp)
    sw t0, 4(sp)
    sw t1, 8(sp)
    sw t2, 12(sp)
    sw a0, 16(sp)
    sw a1, 20(sp)
    sw a2, 24(sp)
    sw a3, 28(sp)
    sw a4, 32(sp)
    sw a5, 36(sp)
    sw a6, 40(sp)
    sw a7, 44(sp)
    sw t3, 48(sp)
    sw t4, 52(sp)
    sw t5, 56(sp)
    sw t6, 60(sp)
.endm

// Restores it and returns from the interrupt.
.macro ARCH_HANDLER_END
    lw ra, 0(sp)
    lw t0, 4(sp)
    lw t1, 8(sp)
    lw t2, 12(sp)
    lw a0, 16(sp)
    lw a1, 20(sp)
    lw a2, 24(sp)
    lw a3, 28(sp)
    lw a4, 32(sp)
    lw a5, 36(sp)
    lw a6, 40(sp)
    lw a7, 44(sp)
    lw t3, 48(sp)
    lw t4, 52(sp)
    lw t5, 56(sp)
    lw t6, 60(sp)
    addi sp, sp, ARCH_HANDLER_BYTES
    mret
.endm

#endif
