// SPDX-License-Identifier: MIT
//
// The place of fpu.S on cores without floating point: there are no such registers, and no exception
// return ever says that there are.

    .syntax unified
    .thumb
    .text

    .global arch_fpu_save, arch_fpu_forget
    .thumb_func
    .type arch_fpu_save, %function
arch_fpu_save:
    b arch_panic

    .thumb_func
    .type arch_fpu_forget, %function
arch_fpu_forget:
    bx lr
