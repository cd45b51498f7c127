// SPDX-License-Identifier: MIT
//
// Start-up from reset to C: the stacks of the modes, a vector table that reports every exception
// before the kernel installs its own, the FPU and the interrupt controller.
//
// The emulator jumps to the first address of memory, in Supervisor mode with interrupts masked and
// the MMU off. The start-up code and the handlers run in Supervisor mode, in which the stack of the
// linker script is valid. Stacks of the other modes are for the few words that a handler saves
// before it changes to another mode.
//
// Sources: Armv7-A Architecture Reference Manual (DDI 0406C) B1.3.1 modes, B4.1.40 CPACR, B6.1.39
// FPEXC.

#include <arch/vectors.inc>

    .syntax unified
    .arm

#define MODE_STACK_BYTES 256

// Sets the stack of a mode of the processor to the area `index` of mode_stacks.
.macro MODE_STACK mode, index
    cps #\mode
    add sp, r0, #MODE_STACK_BYTES * (\index + 1)
.endm

    .section .reset, "ax", %progbits
    .global arch_reset
    .type arch_reset, %function
arch_reset:
    ldr r0, =mode_stacks
    MODE_STACK ARCH_MODE_FIQ, 0
    MODE_STACK ARCH_MODE_IRQ, 1
    MODE_STACK ARCH_MODE_ABORT, 2
    MODE_STACK ARCH_MODE_UNDEFINED, 3
    MODE_STACK ARCH_MODE_SYSTEM, 4
    cps #ARCH_MODE_SUPERVISOR
    ldr sp, =memory_stack_top
    ARCH_SET_VECTORS arch_reset_vectors
    mrc p15, 0, r0, c1, c0, 2
    orr r0, r0, #0xf << 20 // CPACR: full access to VFP
    mcr p15, 0, r0, c1, c0, 2
    isb
    mov r0, #1 << 30 // FPEXC.EN
    vmsr fpexc, r0
    bl arch_interrupts_begin
    b platform_start
    .ltorg
    .size arch_reset, . - arch_reset

    .section .text.arch_reset_vectors, "ax", %progbits
    ARCH_VECTORS arch_reset_vectors, arch_fault_supervisor_call, arch_fault_interrupt

    .section .noinit.mode_stacks, "aw", %nobits
    .balign 8
mode_stacks:
    .space MODE_STACK_BYTES * 5
