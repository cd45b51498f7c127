// SPDX-License-Identifier: MIT
//
// Work of known cost (bench/calibration.h) for Armv7-A, in T32, so that it can have any alignment.
// No board states its cost, because these cores have no cycle model; its count is that of Armv7-M.
//
// Every instruction of the loops and of the straight piece is 16 bits wide and uses only registers.
// Each function has its own section, so that the linker drops functions that are not called.

    .syntax unified
    .thumb

.macro FUNCTION name
    .global bench_calibration_\name
    .type bench_calibration_\name, %function
    .thumb_func
bench_calibration_\name:
.endm

.macro LOOP align
    .section .text.bench_calibration_align_\align, "ax", %progbits
    .balign 512
    .space \align
    FUNCTION align_\align
1:
    .rept 16
    adds r1, r1, #1
    .endr
    subs r0, r0, #1
    bne 1b
    bx lr
    .size bench_calibration_align_\align, . - bench_calibration_align_\align
.endm

    LOOP 2
    LOOP 4
    LOOP 8
    LOOP 16
    LOOP 32
    LOOP 64
    LOOP 128
    LOOP 256

    .section .text.bench_calibration_straight, "ax", %progbits
    .balign 32
    FUNCTION straight
    .rept 2048
    adds r1, r1, #1
    .endr
    bx lr
    .size bench_calibration_straight, . - bench_calibration_straight

    .section .text.bench_calibration_read, "ax", %progbits
    .balign 32
    FUNCTION read
    push {r4-r9}
1:  ldmia r0!, {r2-r9}
    subs r1, r1, #32
    bne 1b
    pop {r4-r9}
    bx lr
    .size bench_calibration_read, . - bench_calibration_read

    .section .text.bench_calibration_write, "ax", %progbits
    .balign 32
    FUNCTION write
    push {r4-r9}
1:  stmia r0!, {r2-r9}
    subs r1, r1, #32
    bne 1b
    pop {r4-r9}
    bx lr
    .size bench_calibration_write, . - bench_calibration_write

    .section .text.bench_calibration_copy, "ax", %progbits
    .balign 32
    FUNCTION copy
    push {r4-r10}
1:  ldmia r1!, {r3-r10}
    stmia r0!, {r3-r10}
    subs r2, r2, #32
    bne 1b
    pop {r4-r10}
    bx lr
    .size bench_calibration_copy, . - bench_calibration_copy
