// SPDX-License-Identifier: MIT
//
// Injects an interrupt after a given number of instructions (bench/injection.h), by a CMSDK
// watchdog whose interrupt is the NMI. A board's injection.S defines WATCHDOG, the watchdog's
// address, and INSTRUCTIONS_PER_COUNT, the number of instructions in one count, and includes this
// file.
//
// One count of the watchdog takes several instructions. So the number of counts is rounded up, and
// NOPs between the start of the watchdog and the return use up the excess. The code is in
// assembler, because each instruction after the start of the watchdog is part of the time.
//
// A write to LOAD starts the watchdog. When it reaches 0, it interrupts and starts again. Therefore
// the handler stops the watchdog before it clears the interrupt; otherwise the interrupt would
// occur twice.
//
// Sources: Arm Cortex-M System Design Kit (DDI 0479), APB watchdog; Armv7-M Architecture Reference
// Manual (DDI 0403E) B1.5.6 stacked frame, B1.5.8 EXC_RETURN.

#include <arch/injection.h>
#include <arch/mark.h>

#define LOAD 0x00
#define CONTROL 0x08
#define INTERRUPT_CLEAR 0x0C
#define INTERRUPT_ENABLE 1

#define FRAME_PC 24
#define EXC_RETURN_PSP 4

// The number of instructions from the write to LOAD to the mark "begin", without the NOPs: the
// branch after the write.
#define OVERHEAD 1

// The equivalent of bench/mark.h for assembler.
.macro mark name
661:
    .pushsection .bench.marks, "", %progbits
    .balign 4
    .word 661b
    .asciz "\name"
    .balign 4
    .popsection
.endm

.macro function name
    .section .text.\name, "ax", %progbits
    .global \name
    .thumb_func
    .type \name, %function
\name:
.endm

    .syntax unified
    .thumb

// position + OVERHEAD = INSTRUCTIONS_PER_COUNT · counts - NOPs, with as few counts and NOPs as
// possible.
function bench_injection_arm
    adds r0, #(OVERHEAD + INSTRUCTIONS_PER_COUNT - 1)
    movs r1, #INSTRUCTIONS_PER_COUNT
    udiv r2, r0, r1             // counts
    mls r3, r1, r2, r0          // NOPs to skip
    ldr r0, =sled + 1
    add r0, r0, r3, lsl #1
    ldr r1, =WATCHDOG
    ldr r3, =arch_injection
    movs r12, #0
    str r12, [r3, #ARCH_INJECTION_AT]
    movs r3, #INTERRUPT_ENABLE
    str r3, [r1, #INTERRUPT_CLEAR]
    str r3, [r1, #CONTROL]
    str r2, [r1, #LOAD]
    bx r0
sled:
    .rept INSTRUCTIONS_PER_COUNT - 1
    nop
    .endr
    mark begin
    bx lr
    .ltorg
    .size bench_injection_arm, . - bench_injection_arm

// Stops the watchdog by setting the longest count and disabling its interrupt. Changes r2 and r3.
.macro stop
    ldr r2, =WATCHDOG
    mov r3, #-1
    str r3, [r2, #LOAD]
    movs r3, #0
    str r3, [r2, #CONTROL]
    str r3, [r2, #INTERRUPT_CLEAR]
.endm

function bench_injection_disarm
    stop
    ldr r0, =arch_injection
    ldr r0, [r0, #ARCH_INJECTION_AT]
    bx lr
    .ltorg
    .size bench_injection_disarm, . - bench_injection_disarm

function NMI_Handler
    mark injected
    stop
    tst lr, #EXC_RETURN_PSP
    ite eq
    mrseq r0, msp
    mrsne r0, psp
    ldr r0, [r0, #FRAME_PC]
    ldr r1, =arch_injection
    str r0, [r1, #ARCH_INJECTION_AT]
    ldr r0, [r1, #ARCH_INJECTION_REQUEST]
    ldr r1, [r1, #ARCH_INJECTION_PEND]
    str r0, [r1]
    dsb
    mark pended
    bx lr
    .ltorg
    .size NMI_Handler, . - NMI_Handler
