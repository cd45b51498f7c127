// SPDX-License-Identifier: MIT
//
// The trap table. It has the kernel's own handlers at the entries that its manual prescribes for
// vectored interrupts ("Using FreeRTOS on RISC-V Microcontrollers").

#include <arch/vectors.inc>

    .section .text.freertos_vectors, "ax", @progbits
    ARCH_VECTORS freertos_vectors, freertos_risc_v_exception_handler, arch_fault_entry, \
        freertos_risc_v_mtimer_interrupt_handler, freertos_risc_v_interrupt_handler

    .section .text.start_vectors, "ax", @progbits
    .global start_vectors
    .type start_vectors, @function
start_vectors:
    ARCH_SET_VECTORS freertos_vectors
    ret
    .size start_vectors, . - start_vectors
