// SPDX-License-Identifier: MIT
//
// Start-up from reset to C: sets up the stack. The boot code jumps to the first address of memory,
// with interrupts disabled. Hart 0 runs the kernel; other harts, if there are any, wait for ever.

    .section .reset, "ax", %progbits
    .global arch_reset
    .type arch_reset, %function
arch_reset:
    csrr t0, mhartid
    bnez t0, 1f
    la sp, memory_stack_top
    j start
1:  wfi
    j 1b
