// SPDX-License-Identifier: MIT
//
// Entry of every exception without a handler: passes the address of the stacked frame and the
// exception number to fault_report.
//
// EXC_RETURN bit 2 selects the stack that holds the frame (Armv7-M Architecture Reference Manual,
// DDI 0403E, B1.5.8).

    .syntax unified
    .thumb

    .section .text.fault_entry, "ax", %progbits
    .global fault_entry
    .thumb_func
    .type fault_entry, %function
fault_entry:
    tst lr, #4
    ite eq
    mrseq r0, msp
    mrsne r0, psp
    mrs r1, ipsr
    b fault_report
    .size fault_entry, . - fault_entry
