// SPDX-License-Identifier: MIT
//
// Start-up from reset to C: sets the global pointer, the stack, and a trap table that reports every
// trap before the kernel installs its own table.
//
// The boot code jumps to the first address of memory, in machine mode with interrupts masked.

#include <arch/vectors.inc>

    .section .reset, "ax", @progbits
    .global arch_reset
    .type arch_reset, @function
arch_reset:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, memory_stack_top
    ARCH_SET_VECTORS arch_reset_vectors
    j platform_start
    .size arch_reset, . - arch_reset

    .section .text.arch_reset_vectors, "ax", @progbits
    ARCH_VECTORS arch_reset_vectors, arch_fault_entry, arch_fault_entry, \
        arch_fault_entry, arch_fault_entry
