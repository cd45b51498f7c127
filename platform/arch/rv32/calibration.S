// SPDX-License-Identifier: MIT
//
// Code of known cost (bench/calibration.h) for RV32IMC. Its cost in cycles is in the boards'
// calibration.toml, derived from the core's manual.
//
// Every instruction of the loops and of the straight piece is 16 bits wide and uses only registers.
// Each function has its own section, so that the linker drops functions that are not called.

.macro FUNCTION name
    .global bench_calibration_\name
    .type bench_calibration_\name, @function
bench_calibration_\name:
.endm

.macro LOOP align
    .section .text.bench_calibration_align_\align, "ax", @progbits
    .balign 512
    .space \align
    FUNCTION align_\align
1:
    .rept 16
    c.addi a1, 1
    .endr
    c.addi a0, -1
    c.bnez a0, 1b
    c.jr ra
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

    .section .text.bench_calibration_straight, "ax", @progbits
    .balign 32
    FUNCTION straight
    .rept 2048
    c.addi a1, 1
    .endr
    c.jr ra
    .size bench_calibration_straight, . - bench_calibration_straight

// Applies `operation` to eight words at `base`, through eight registers.
.macro WORDS operation, base
    \operation t0, 0(\base)
    \operation t1, 4(\base)
    \operation t2, 8(\base)
    \operation t3, 12(\base)
    \operation t4, 16(\base)
    \operation t5, 20(\base)
    \operation t6, 24(\base)
    \operation a7, 28(\base)
.endm

    .section .text.bench_calibration_read, "ax", @progbits
    .balign 32
    FUNCTION read
1:  WORDS lw, a0
    addi a0, a0, 32
    addi a1, a1, -32
    bnez a1, 1b
    ret
    .size bench_calibration_read, . - bench_calibration_read

    .section .text.bench_calibration_write, "ax", @progbits
    .balign 32
    FUNCTION write
1:  WORDS sw, a0
    addi a0, a0, 32
    addi a1, a1, -32
    bnez a1, 1b
    ret
    .size bench_calibration_write, . - bench_calibration_write

    .section .text.bench_calibration_copy, "ax", @progbits
    .balign 32
    FUNCTION copy
1:  WORDS lw, a1
    WORDS sw, a0
    addi a0, a0, 32
    addi a1, a1, 32
    addi a2, a2, -32
    bnez a2, 1b
    ret
    .size bench_calibration_copy, . - bench_calibration_copy
