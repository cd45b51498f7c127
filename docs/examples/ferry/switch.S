// SPDX-License-Identifier: MIT
//
// Ferry's switch, for an Armv7-M core without an FPU: a function call in thread mode. Section
// numbers are of the Armv7-M Architecture Reference Manual, DDI 0403E.
//
// An interrupt that readies a higher thread pends PendSV, the exception of lowest priority. Its
// handler returns to ferry_preempt in place of the interrupted code, by a second frame on the stack
// of the interrupted thread (B1.5.8). ferry_preempt switches in thread mode like any other call.
// When the thread runs again, SVC drops its own frame, so that its return finds the frame of the
// interruption and continues there.

    .syntax unified
    .thumb

    .macro function name
    .section .text.\name, "ax", %progbits
    .global \name
    .thumb_func
    .type \name, %function
\name:
    .endm

// void ferry_switch(struct ferry_thread *from, struct ferry_thread *to)
    function ferry_switch
    push {r4-r11, lr}
    str sp, [r0]
    ldr sp, [r1]
    pop {r4-r11, pc}
    .size ferry_switch, . - ferry_switch

// Continues a new thread, whose entry is in r4.
    function ferry_first
    cpsie i
    blx r4
    bkpt #0                     // the entry of a thread does not return
    .size ferry_first, . - ferry_first

// void ferry_begin(void *interrupt_stack_end): the caller keeps its stack; handlers get another.
    function ferry_begin
    mov r1, sp
    msr psp, r1
    movs r1, #2
    msr control, r1
    isb
    msr msp, r0
    bx lr
    .size ferry_begin, . - ferry_begin

    function PendSV_Handler
    cpsid i                     // until ferry_preempt has switched
    mrs r0, psp
    subs r0, #32
    ldr r1, =ferry_preempt
    bic r1, #1
    str r1, [r0, #24]           // pc of the second frame
    mov r1, #0x01000000
    str r1, [r0, #28]           // its xPSR
    msr psp, r0
    bx lr
    .ltorg
    .size PendSV_Handler, . - PendSV_Handler

    function ferry_preempt
    bl ferry_preempted
    cpsie i
    svc #0
    .size ferry_preempt, . - ferry_preempt

// The handler of SVC.
    function ferry_continue
    mrs r0, psp
    adds r0, #32
    msr psp, r0
    bx lr
    .size ferry_continue, . - ferry_continue
