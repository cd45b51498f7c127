// SPDX-License-Identifier: MIT
//
// Saves and restores floating-point registers at a switch, for cores that have them. Only a switch
// from or to a thread that uses floating point executes this code.
//
// The processor reserves room for s0 to s15 in the frame and stores them at the next floating-point
// instruction (lazy stacking, DDI 0403E, B1.5.7). That is the first VSTM below, which runs while
// the thread's regions are still in the MPU. Then all registers are cleared: the next thread that
// uses the FPU sees no value of this one. A thread that continues with registers of its own
// overwrites all of them, s0 to s15 and FPSCR from its frame, so they are not cleared for it.

#include "layout.h"
#include <unit.inc>

    .syntax unified
    .thumb
    .fpu fpv4-sp-d16
    .text

    .equ FPCCR, 0xE000EF34
    .equ EXC_RETURN_THREAD_FPU, 0xFFFFFFED

// Defines code that saves the floating-point registers of a thread. entry.S or gate.inc enters it
// at `name`; it continues at `after`. lr and r4 to r11 are saved already. r2: the thread whose
// registers are saved; `to`: the thread that runs next.
.macro FPU_SAVE name, after, to
    .global \name
    .thumb_func
    .type \name, %function
\name:
    ldr r5, [\to, #CONTEXT_RESUME]
    bl save
    b \after
.endm

    FPU_SAVE arch_fpu_save, arch_fpu_saved, r0
    FPU_SAVE arch_fpu_save_in_call, arch_fpu_saved_in_call, r3
    FPU_SAVE arch_fpu_save_in_answer, arch_fpu_saved_in_answer, r3

// r5: the address at which the next thread continues.
save:
    add r4, r2, #THREAD_FLOATS
    vstmia r4, {s16-s31}
    ldr r4, =arch_fpu_restore
    str r4, [r2, #CONTEXT_RESUME]
    cmp r5, r4
    beq 1f
// Clears all registers: those that are saved of the idle thread, which uses no floating point, are
// always zeroes.
clear:
    ldr r4, =kernel_idle + THREAD_FLOATS
    vldmia r4, {s0-s15}
    vldmia r4, {s16-s31}
    movs r4, #0
    vmsr fpscr, r4
1:  bx lr

// The last step of a switch. r0: the address of the second word in the context of the thread that
// runs next.
    .thumb_func
    .type arch_fpu_restore, %function
arch_fpu_restore:
    add r0, r0, #THREAD_FLOATS - 4
    vldmia r0, {s16-s31}
    ldr lr, =EXC_RETURN_THREAD_FPU
    bx lr

// Clears LSPACT: the processor no longer stores s0 to s15 to the frame that was reserved for them.
    .global arch_fpu_forget
    .thumb_func
    .type arch_fpu_forget, %function
arch_fpu_forget:
    ldr r0, =FPCCR
    ldr r1, [r0]
    bic r1, r1, #1
    str r1, [r0]
    bx lr

    UNIT_DISCARD_FLOATS

    .ltorg
