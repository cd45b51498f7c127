// SPDX-License-Identifier: MIT
//
// The hostile instructions of the attacker, one routine for each. r0: the address that the routine
// attacks; r1 to r3: values. A routine returns only if nothing stopped the attack.

#include "order.h"
#include <bulkhead/methods.h>

    .syntax unified
    .thumb
    .fpu fpv4-sp-d16
    .text

.macro FUNCTION name
    .global \name
    .thumb_func
    .type \name, %function
\name:
.endm

#include <unit_hostile.inc>

// --- Tables: the order of the variants -----------------------------------------------------------

    .balign 4
    .global hostile_loads, hostile_stores, hostile_stacks, hostile_privileges
hostile_loads:
    .word load_byte, load_half, load_word, load_double, load_four, load_exclusive
    .word load_unprivileged, load_floating, load_pop, load_signed
hostile_stores:
    .word store_byte, store_half, store_word, store_double, store_four, store_exclusive
    .word store_unprivileged, store_floating, store_push
hostile_stacks:
    .word stack_call, stack_spin, stack_floating_call, stack_floating_spin, stack_undefined
    .word stack_fault
hostile_privileges:
    .word control_0, control_2, basepri, primask, faultmask, msp, psp, mask, xpsr, undefined
    .word breakpoint, exception_return_msp, exception_return_psp, exception_return_handler
    .word exception_return_floating, coprocessor, wait
    UNIT_TABLE

// --- Loads by the attacker -----------------------------------------------------------------------

FUNCTION load_byte
    ldrb r1, [r0]
    bx lr
FUNCTION load_half
    ldrh r1, [r0]
    bx lr
FUNCTION load_word
    ldr r1, [r0]
    bx lr
FUNCTION load_double
    ldrd r1, r2, [r0]
    bx lr
FUNCTION load_four
    ldmia r0, {r1, r2, r3, r12}
    bx lr
FUNCTION load_exclusive
    ldrex r1, [r0]
    bx lr
FUNCTION load_unprivileged
    ldrt r1, [r0]
    bx lr
FUNCTION load_floating
    vldmia r0, {s0-s7}
    bx lr
FUNCTION load_pop
    mov r12, sp
    mov sp, r0
    pop {r1, r2}
    mov sp, r12
    bx lr
FUNCTION load_signed
    ldrsh r1, [r0]
    bx lr

// --- Stores by the attacker ----------------------------------------------------------------------

FUNCTION store_byte
    strb r1, [r0]
    bx lr
FUNCTION store_half
    strh r1, [r0]
    bx lr
FUNCTION store_word
    str r1, [r0]
    bx lr
FUNCTION store_double
    strd r1, r2, [r0]
    bx lr
FUNCTION store_four
    stmia r0, {r1, r2, r3, r12}
    bx lr
FUNCTION store_exclusive
    ldrex r3, [r0]
    strex r3, r1, [r0]
    bx lr
FUNCTION store_unprivileged
    strt r1, [r0]
    bx lr
FUNCTION store_floating
    vstmia r0, {s0-s7}
    bx lr
FUNCTION store_push
    mov r12, sp
    mov sp, r0
    push {r1, r2}
    mov sp, r12
    bx lr

// --- Calls ---------------------------------------------------------------------------------------

// Makes a system call with every register set as the order says, and stores the registers after the
// call.
FUNCTION hostile_call
    push {r4-r11, lr}
    ldr r0, =order + ORDER_REGISTERS
    ldmia r0, {r0-r12}
    svc 0
    push {r0-r12}
    ldr r0, =order + ORDER_AFTER
    movs r1, #CORE_REGISTERS
1:  pop {r2}
    stmia r0!, {r2}
    subs r1, r1, #1
    bne 1b
    pop {r4-r11, pc}

// --- A stack pointer with any value --------------------------------------------------------------
// The kernel saves r4 to r11 of this thread, so these registers are set from the order too.

.macro ENTER_STACK
    push {r4-r11, lr}
    ldr r12, =order
    str sp, [r12, #ORDER_AFTER]
    mov sp, r0
.endm

.macro LEAVE_STACK
    ldr r12, =order
    ldr sp, [r12, #ORDER_AFTER]
    pop {r4-r11, pc}
.endm

.macro ORDERED_CALL
    ldr r0, =order + ORDER_REGISTERS
    ldmia r0, {r0-r12}
    svc 0xa5 // the number has no meaning
.endm

FUNCTION stack_call
    ENTER_STACK
    ORDERED_CALL
    LEAVE_STACK
FUNCTION stack_spin
    ENTER_STACK
    b .
FUNCTION stack_floating_call
    ENTER_STACK
    vmov s0, r0
    vmov s31, r0
    ORDERED_CALL
    vmov r0, s0
    LEAVE_STACK
FUNCTION stack_floating_spin
    ENTER_STACK
    vmov s0, r0
    b .
FUNCTION stack_undefined
    ENTER_STACK
    udf #0
FUNCTION stack_fault
    ENTER_STACK
    movs r0, #0
    str r0, [r0]
    LEAVE_STACK

// --- Exception frames ----------------------------------------------------------------------------

// Waits for a notification. The stack pointer is in the order, so that the accomplice can write to
// the exception frame.
FUNCTION hostile_wait
    ldr r0, =order + ORDER_MACHINE + MACHINE_FRAME_END
    ENTER_STACK
    movs r0, #0 // BULKHEAD_OK
    movs r1, #BULKHEAD_SELF
    movs r2, #BULKHEAD_SELF_NOTIFICATION_WAIT
    mov r3, #-1
    svc 0
    LEAVE_STACK

// --- Privileged instructions ---------------------------------------------------------------------

FUNCTION control_0
    movs r1, #0
    msr control, r1
    isb
    bx lr
FUNCTION control_2
    movs r1, #2
    msr control, r1
    isb
    bx lr
FUNCTION basepri
    movs r1, #16
    msr basepri, r1
    bx lr
FUNCTION primask
    movs r1, #1
    msr primask, r1
    bx lr
FUNCTION faultmask
    movs r1, #1
    msr faultmask, r1
    bx lr
FUNCTION msp
    msr msp, r0
    bx lr
FUNCTION psp
    msr psp, r0
    bx lr
FUNCTION mask
    cpsid i
    cpsid f
    bx lr
FUNCTION xpsr
    movs r1, #11
    msr xpsr, r1
    bx lr
FUNCTION undefined
    udf #1
    bx lr
FUNCTION breakpoint
    bkpt 0xab
    bx lr
FUNCTION exception_return_msp
    mvn r1, #6
    bx r1
FUNCTION exception_return_psp
    mvn r1, #2
    bx r1
FUNCTION exception_return_handler
    mvn r1, #14
    bx r1
FUNCTION exception_return_floating
    mvn r1, #18
    bx r1
FUNCTION coprocessor
    mcr p0, 0, r1, c0, c0, 0
    bx lr
FUNCTION wait
    wfe
    bx lr

// --- Start of a thread ---------------------------------------------------------------------------

// Checks the registers at the start of a thread: they must have no values of other threads.
FUNCTION attacker_main
    orrs r0, r0, r1
    orrs r0, r0, r2
    orrs r0, r0, r3
    orrs r0, r0, r4
    orrs r0, r0, r5
    orrs r0, r0, r6
    orrs r0, r0, r7
    orr r0, r0, r8
    orr r0, r0, r9
    orr r0, r0, r10
    orr r0, r0, r11
    orr r0, r0, r12
    orr r0, r0, lr
    ldr r1, =order
    str r0, [r1, #ORDER_LEAKED]
    b attacker_loop

// Stores the floating-point registers as they are.
FUNCTION hostile_look
    ldr r0, =order + ORDER_MACHINE + MACHINE_FLOATING
    vstmia r0, {s0-s31}
    bx lr
