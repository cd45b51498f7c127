// SPDX-License-Identifier: MIT
//
// Replaces fpu.S on cores without floating point. They have no such registers, so no EXC_RETURN
// value indicates a frame with them.

    .syntax unified
    .thumb
    .text

    .global arch_fpu_save, arch_fpu_save_in_call, arch_fpu_save_in_answer, arch_fpu_forget
    .thumb_func
    .type arch_fpu_save, %function
arch_fpu_save:
arch_fpu_save_in_call:
arch_fpu_save_in_answer:
    b arch_panic

    .thumb_func
    .type arch_fpu_forget, %function
arch_fpu_forget:
    bx lr
