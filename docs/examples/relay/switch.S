// SPDX-License-Identifier: MIT
//
// Relay's switch, for an Armv7-M core without an FPU. The processor has already saved r0-r3, r12,
// lr, pc and xPSR on the task's stack (Armv7-M Architecture Reference Manual, DDI 0403E, B1.5.6).

    .syntax unified
    .thumb

    .section .text.PendSV_Handler, "ax", %progbits
    .global PendSV_Handler
    .thumb_func
    .type PendSV_Handler, %function
PendSV_Handler:
    cpsid i
    mrs r0, psp
    stmdb r0!, {r4-r11}
    ldr r1, =relay_current
    ldr r1, [r1]
    str r0, [r1]
    push {r3, lr}
    bl relay_choose
    pop {r3, lr}
    ldr r0, [r0]
    ldmia r0!, {r4-r11}
    msr psp, r0
    cpsie i
    bx lr
    .ltorg
    .size PendSV_Handler, . - PendSV_Handler

// Returns to the caller with r0 as its stack pointer, and enables interrupts.
    .section .text.relay_enter, "ax", %progbits
    .global relay_enter
    .thumb_func
    .type relay_enter, %function
relay_enter:
    msr psp, r0
    movs r0, #2
    msr control, r0
    isb
    cpsie i
    bx lr
    .size relay_enter, . - relay_enter
