# SPDX-License-Identifier: MIT
#
# A call of the RTU that needs nothing but its number and argument: posted first, answered while the
# registers are saved, in case that another thread is to run. So a switch costs the longer of the
# two, and a call that does not switch costs no more from a latency of 8 cycles on.

#include "kept.inc"

#define RTU_PAGE 0xc0000
#define ANSWER_PAGE 0x11000
#define RESULT_ARGUMENT 2 // NODES_ARGUMENT

    .section .text.rtu_call, "ax"
    .option norelax
    .balign 4
    .globl rtu_call
# a0: argument, a2: the thread that calls, a7: 4 times the number. The address of a call is
# RTU + (number << 18) + (argument << 2).
rtu_call:
    lui t1, RTU_PAGE
    slli a7, a7, 16
    add t1, t1, a7
    srli t3, a0, 16
    bnez t3, refused
    slli a0, a0, 2
    add t1, t1, a0
    sw zero, 0(t1)
    save_kept a2
    lui t1, ANSWER_PAGE
    lw t1, 0(t1)
    sw zero, THREAD_A(a2)
    lui t3, %hi(rtu_threads)
    srli t2, t1, 30
    bnez t2, unusual
    slli t1, t1, 2
    andi t1, t1, 63 * 4
    add t3, t3, t1
    lw a0, %lo(rtu_threads)(t3)
    mv t0, a2
    beq a0, a2, kernel_leave
    j kernel_resume

# An error, or no thread is ready.
unusual:
    mv a0, t1
    mv a1, a2
    call rtu_unusual
    j kernel_resume

refused:
    li t1, RESULT_ARGUMENT
    sw t1, THREAD_A(a2)
    mv t0, a2
    j kernel_leave
