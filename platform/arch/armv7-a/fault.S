// SPDX-License-Identifier: MIT
//
// Entries of every exception without a handler: they pass the kind of exception, the address of its
// instruction and the fault registers to platform_report_fault, on a stack that is certainly valid.
//
// LR has the instruction's address plus an offset that depends on the exception (Armv7-A
// Architecture Reference Manual, DDI 0406C, table B1-7).

#include <arch/modes.h>

    .syntax unified
    .arm

.macro FAULT name, number, offset
    .section .text.\name, "ax", %progbits
    .global \name
    .type \name, %function
\name:
    sub r1, lr, #\offset
    mov r0, #\number
    b fault_entry
    .size \name, . - \name
.endm

    FAULT arch_fault_undefined, 1, 4
    FAULT arch_fault_supervisor_call, 2, 4
    FAULT arch_fault_prefetch, 3, 4
    FAULT arch_fault_data, 4, 8
    FAULT arch_fault_interrupt, 6, 4
    FAULT arch_fault_fast_interrupt, 7, 4

    .section .text.fault_entry, "ax", %progbits
    .type fault_entry, %function
fault_entry:
    cpsid if, #ARCH_MODE_SUPERVISOR
    ldr sp, =memory_stack_top
    b platform_report_fault
    .ltorg
    .size fault_entry, . - fault_entry
