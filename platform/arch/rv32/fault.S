// SPDX-License-Identifier: MIT
//
// Entry of every trap without a handler: reports it, on a stack that is certainly valid.

    .section .text.arch_fault_entry, "ax", @progbits
    .global arch_fault_entry
    .type arch_fault_entry, @function
arch_fault_entry:
    la sp, memory_stack_top
    csrr a0, mcause
    csrr a1, mepc
    csrr a2, mtval
    j platform_report_fault
    .size arch_fault_entry, . - arch_fault_entry
