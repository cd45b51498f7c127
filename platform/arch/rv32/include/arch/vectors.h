// SPDX-License-Identifier: MIT
//
// For assembler: a table of trap vectors. Each kernel has its own, and sets mtvec to it.
//
// Ibex knows the vectored mode alone, and a table of 256 bytes at a multiple of 256: exceptions
// enter at slot 0, interrupt n at slot n. A slot is a jump of four bytes.
#ifndef ARCH_VECTORS_H
#define ARCH_VECTORS_H

// The table `name`: who takes exceptions, the software, the timer and the external interrupt.
// Nobody else interrupts, so the other slots go to the fault report.
.macro ARCH_VECTORS name, exception, software, timer, external
    .balign 256
    .global \name
    .type \name, @object
    .option push
    .option norvc
\name:
    j \exception
    .rept 2
    j arch_fault_entry
    .endr
    j \software
    .rept 3
    j arch_fault_entry
    .endr
    j \timer
    .rept 3
    j arch_fault_entry
    .endr
    j \external
    .rept 20
    j arch_fault_entry
    .endr
    .option pop
    .size \name, . - \name
.endm

// Makes the table `name` the processor's. Changes t0.
.macro ARCH_SET_VECTORS name
    la t0, \name
    ori t0, t0, 1
    csrw mtvec, t0
.endm

#endif
