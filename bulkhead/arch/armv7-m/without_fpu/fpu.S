// SPDX-License-Identifier: MIT
//
// Replaces with_fpu/fpu.S on cores without floating-point registers, whose EXC_RETURN values never
// indicate a frame with them.

    .syntax unified
    .thumb
    .text

    .global arch_fpu_save, arch_fpu_save_in_call, arch_fpu_save_in_answer, arch_fpu_forget
    .global arch_fpu_discard
    .thumb_func
    .type arch_fpu_save, %function
arch_fpu_save:
arch_fpu_save_in_call:
arch_fpu_save_in_answer:
arch_fpu_discard:
    b arch_panic

    .thumb_func
    .type arch_fpu_forget, %function
arch_fpu_forget:
    bx lr
