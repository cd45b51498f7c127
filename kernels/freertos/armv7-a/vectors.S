// SPDX-License-Identifier: MIT
//
// The vector table, with the kernel's own handlers of supervisor calls and of interrupts, as the
// manual prescribes ("Using FreeRTOS on Cortex-A Embedded Processors").

#include <arch/vectors.inc>

    .syntax unified
    .arm

    .section .text.freertos_vectors, "ax", %progbits
    ARCH_VECTORS freertos_vectors, FreeRTOS_SWI_Handler, FreeRTOS_IRQ_Handler

    .section .text.start_vectors, "ax", %progbits
    .global start_vectors
    .type start_vectors, %function
start_vectors:
    ARCH_SET_VECTORS freertos_vectors
    bx lr
    .ltorg
    .size start_vectors, . - start_vectors
