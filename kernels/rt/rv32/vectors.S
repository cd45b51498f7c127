// SPDX-License-Identifier: MIT
//
// The trap table (the package's arch/riscv/README.md), and the entries of the tick and of external
// interrupts. The entries are equivalent to the kernel's RT_INTERRUPT_HANDLER, but without AMO
// instructions, which Ibex does not have. Interrupts stay masked meanwhile, so plain loads and
// stores are enough.

#include <arch/handler.inc>
#include <arch/vectors.inc>

    .section .text.rt_vectors, "ax", @progbits
    ARCH_VECTORS rt_vectors, rt_trap_handler, rt_msi_handler, tick_entry, external_entry

    .section .text.set_vectors, "ax", @progbits
    .global set_vectors
    .type set_vectors, @function
set_vectors:
    ARCH_SET_VECTORS rt_vectors
    ret
    .size set_vectors, . - set_vectors

// The outermost trap runs on the kernel's stack and keeps the task's stack pointer in mscratch.
.macro ENTRY name, function
    .section .text.\name, "ax", @progbits
    .type \name, @function
\name:
    ARCH_HANDLER_BEGIN
    la t0, rt_trap_level
    lw t1, 0(t0)
    addi t2, t1, 1
    sw t2, 0(t0)
    bgez t1, 1f
    csrw mscratch, sp
    la sp, rt_main_sp
1:  call \function
    la t0, rt_trap_level
    lw t1, 0(t0)
    addi t2, t1, -1
    sw t2, 0(t0)
    bnez t1, 1f
    csrr sp, mscratch
1:  ARCH_HANDLER_END
    .size \name, . - \name
.endm

    ENTRY tick_entry, tick
    ENTRY external_entry, arch_interrupt_serve

// Handles an exception that is no environment call. rt_trap_handler has moved mcause to t2 and
// cleared mcause.
    .section .text.rt_fault, "ax", @progbits
    .global rt_fault
    .type rt_fault, @function
rt_fault:
    csrw mcause, t2
    j arch_fault_entry
    .size rt_fault, . - rt_fault
