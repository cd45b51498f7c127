// SPDX-License-Identifier: MIT
//
// Functions that fill and compare all registers, for registers.c. They are in assembler because C
// code would itself use some of the registers.

#include <test/function.inc>

    .text

.macro FILL value, registers:vararg
    .irp register, \registers
    mv \register, \value
    .endr
.endm

// Makes a0 nonzero if one of the registers is `value`.
.macro FIND value, registers:vararg
    .irp register, \registers
    beq \register, \value, 9f
    .endr
.endm

// Makes a0 nonzero if one of the registers is neither `value` nor 0.
.macro FOREIGN value, registers:vararg
    .irp register, \registers
    beqz \register, 8f
    bne \register, \value, 9f
8:
    .endr
.endm

.macro DIFFER value, registers:vararg
    .irp register, \registers
    bne \register, \value, 9f
    .endr
.endm

// Ends a check: returns 0, or 1 from label 9.
.macro ANSWER
    li a0, 0
    j 8f
9:  li a0, 1
8:  PRESERVED lw
    addi sp, sp, 64
    ret
.endm

// a0: handle; a1: method, both scaled as the system call expects them; a2: argument of the call;
// a3: the caller's secret value; a4: the other process's secret value. Makes the call with the
// caller's secret in every register that the call may spoil. Returns whether the other secret was
// in one of them after the call.
FUNCTION registers_call
    addi sp, sp, -64
    PRESERVED sw
    mv s0, a3
    mv s1, a4
    FILL s0, ra, gp, tp, t0, t1, t2, t3, t4, t5, t6, a3, a4, a5, a6, a7
    FILL s0, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    ecall
    FIND s1, gp, tp, t0, t1, t2, t3, t4, t5, t6, a0, a1, a2, a3, a4, a5, a6, a7
    DIFFER s0, ra, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    ANSWER

// Makes the same call as registers_call. The kernel executes it in C code. Returns whether a
// register that the kernel's exit code does not use has a value of the kernel after the call.
FUNCTION registers_call_in_c
    addi sp, sp, -64
    PRESERVED sw
    mv s0, a3
    FILL s0, ra, gp, tp, t0, t1, t2, t3, t4, t5, t6, a3, a4, a5, a6, a7
    ecall
    FOREIGN s0, gp, tp, t2, t3, t4, t5, t6, a1, a3, a4, a5, a6, a7
    ANSWER

// Makes the same call as registers_call_in_c, but the kernel executes it by its shortest paths in
// assembler. They may leave words of the object and of the kernel's lists in t1 and t2, and the
// method in a1 and t3.
FUNCTION registers_call_shortest
    addi sp, sp, -64
    PRESERVED sw
    mv s0, a3
    FILL s0, ra, gp, tp, t0, t1, t2, t3, t4, t5, t6, a3, a4, a5, a6, a7
    ecall
    FOREIGN s0, gp, tp, t4, t5, t6, a3, a4, a5, a6, a7
    ANSWER

// a0: a secret value; a1: number of loops. Holds the secret value in every register for that number
// of loops. Returns whether any register changed.
FUNCTION registers_hold
    addi sp, sp, -64
    PRESERVED sw
    sw a1, 52(sp)
    FILL a0, ra, gp, tp, t0, t1, t2, t3, t4, t5, t6, a2, a3, a4, a5, a6, a7
    FILL a0, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
1:  addi a1, a1, -1
    DIFFER a0, ra, gp, tp, t0, t1, t2, t3, t4, t5, t6, a2, a3, a4, a5, a6, a7
    DIFFER a0, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    bnez a1, 1b
    ANSWER
