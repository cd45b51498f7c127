// SPDX-License-Identifier: MIT
//
// The loop of the keeper, the thread of the lowest priority (keeper.c): it fills all registers with
// a secret value and compares them. The loop needs no stack, so the stack pointer has the secret
// value too.

#include "secrets.inc"

    .equ SPINS, 8

FUNCTION keeper_main
    li s0, SECRET
    FILL ra, sp, gp, tp, t1, t2, s1, a1, a2, a3, a4, a5, a6, a7
    FILL s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, t3, t4, t5, t6
1:  li a0, 0
    COUNT ra, sp, gp, tp, t1, t2, s1, a1, a2, a3, a4, a5, a6, a7
    COUNT s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, t3, t4, t5, t6
    bnez a0, 2f
    la t0, keeper_rounds
    lw a0, 0(t0)
    addi a0, a0, 1
    sw a0, 0(t0)
    FILL a0, t0
    .rept SPINS // with a secret in every register
    nop
    .endr
    j 1b
2:  la t0, keeper_wrong
    sw a0, 0(t0)
    j 2b
