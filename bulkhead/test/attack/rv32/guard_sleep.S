// SPDX-License-Identifier: MIT
//
// The sleep of the guard, the thread of the highest priority (guard.c), with a secret value in
// every register.

#include "secrets.inc"
#include <bulkhead/methods.h>

// Sleeps for a tick. Returns the number of registers that changed during the sleep, of those that a
// call preserves. The other registers also have the secret value, which no other thread may see.
FUNCTION guard_sleep
    addi sp, sp, -64
    PRESERVED sw
    li s0, SECRET
    FILL ra, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    FILL gp, tp, t0, t1, t2, t3, t4, t5, t6, a3, a4, a5, a6, a7
    li a0, 0 // BULKHEAD_SELF
    li a1, 4 * BULKHEAD_SELF_DELAY
    li a2, 1
    ecall
    li a0, 0
    li a1, SECRET
    COUNT ra, a1, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    PRESERVED lw
    addi sp, sp, 64
    ret
