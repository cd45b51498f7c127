// SPDX-License-Identifier: MIT
//
// The trap table: only the tick has a handler, which calls SysTick_Handler as a C function.

#include <arch/handler.inc>
#include <arch/vectors.inc>

    .section .text.null_vectors, "ax", @progbits
    ARCH_VECTORS null_vectors, arch_fault_entry, arch_fault_entry, tick_entry, arch_fault_entry

    .section .text.tick_entry, "ax", @progbits
    .type tick_entry, @function
tick_entry:
    ARCH_HANDLER_BEGIN
    call SysTick_Handler
    call next_tick
    ARCH_HANDLER_END
    .size tick_entry, . - tick_entry

    .section .text.set_vectors, "ax", @progbits
    .global set_vectors
    .type set_vectors, @function
set_vectors:
    ARCH_SET_VECTORS null_vectors
    ret
    .size set_vectors, . - set_vectors
