// SPDX-License-Identifier: MIT
//
// The vector table: only interrupts have a handler, which calls SysTick_Handler as a C function by
// arch_interrupt_serve.

#include <arch/handler.inc>
#include <arch/machine.h>
#include <arch/vectors.inc>

    .syntax unified
    .arm

    .section .text.null_vectors, "ax", %progbits
    ARCH_VECTORS null_vectors, arch_fault_supervisor_call, tick_entry

    .section .text.tick_entry, "ax", %progbits
    .type tick_entry, %function
tick_entry:
    ARCH_HANDLER_BEGIN
    push {r4, r5}
    ldr r5, =ARCH_GICC_IAR
    ldr r4, [r5]
    mov r0, r4
    bl arch_interrupt_serve
    bl next_tick
    str r4, [r5, #ARCH_GICC_EOIR - ARCH_GICC_IAR]
    pop {r4, r5}
    ARCH_HANDLER_END
    .ltorg
    .size tick_entry, . - tick_entry

    .section .text.set_vectors, "ax", %progbits
    .global set_vectors
    .type set_vectors, %function
set_vectors:
    ARCH_SET_VECTORS null_vectors
    bx lr
    .ltorg
    .size set_vectors, . - set_vectors
