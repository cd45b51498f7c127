// SPDX-License-Identifier: MIT
//
// Start-up of the observer's Armv7-A guests: stacks, exception vectors, guest, end of the run. Each
// vector calls trap(number of the vector), in Supervisor mode. Each handler returns by another
// instruction: MOVS PC, LDM with ^, SUBS PC and RFE.

    .syntax unified
    .arm
    .section .text.start, "ax"
    .global _start
_start:
    ldr r0, =stack_top
    cps #0x12
    sub sp, r0, #0x400
    cps #0x17
    sub sp, r0, #0x800
    cps #0x1b
    sub sp, r0, #0xc00
    cps #0x1f
    sub sp, r0, #0x1000
    cps #0x13
    mov sp, r0
    ldr r0, =vectors
    mcr p15, 0, r0, c12, c0, 0
    isb
    mrc p15, 0, r0, c1, c0, 2
    orr r0, r0, #0xf << 20
    mcr p15, 0, r0, c1, c0, 2
    isb
    mov r0, #1 << 30
    vmsr fpexc, r0
    cps #0x1f
    bl guest

    .global finish
    .type finish, %function
finish:
    .pushsection .bench.marks, ""
    .word finish
    .asciz "finish"
    .balign 4
    .popsection
    mov r0, #0x18
    ldr r1, =0x20026
    svc 0x123456
    b .

// Runs trap(\number) with the registers of the interrupted code kept.
.macro TRAP number
    push {r0-r3, r12, lr}
    mov r0, #\number
    bl trap
    pop {r0-r3, r12, lr}
.endm

undefined:
    TRAP 1
    movs pc, lr

supervisor_call:
    push {lr}
    mrs lr, spsr
    push {lr}
    TRAP 2
    pop {lr}
    msr spsr_cxsf, lr
    ldm sp!, {pc}^

prefetch_abort:
    TRAP 3
    movs pc, lr @ the caller's address, which trap_return has set

data_abort:
    TRAP 4
    subs pc, lr, #4

interrupt:
    sub lr, lr, #4
    srsdb sp!, #0x13
    cps #0x13
    TRAP 6
    rfeia sp!

    .balign 32
vectors:
    b .
    b undefined
    b supervisor_call
    b prefetch
    b data_abort
    b .
    b interrupt
    b .

// An aborted fetch continues at the caller; an aborted breakpoint after the breakpoint.
prefetch:
    push {r0}
    sub r0, lr, #4
    cmp r0, #0x0f000000
    pop {r0}
    bne prefetch_abort
    cps #0x1f
    push {lr}
    cps #0x17
    ldr lr, =return_from_nowhere
    b prefetch_abort

    .global call_nowhere
    .type call_nowhere, %function
call_nowhere:
    push {r4, lr}
    mov r4, sp
    mov r0, #0x0f000000
    blx r0
return_from_nowhere:
    mov sp, r4
    pop {r4, pc}
