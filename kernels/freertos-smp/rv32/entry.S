# SPDX-License-Identifier: MIT
#
# The kernel's entries (a task's yield, the request of another core to switch, the tick, a device's
# interrupt) and its exit to a task. mscratch holds the address of this core's word of
# pxCurrentTCBs, so that no entry has to compute it. A handler runs on the stack of its core.

#include <arch/vectors.inc>

#include "frame.h"

    .section .text.smp_vectors, "ax", @progbits
    ARCH_VECTORS smp_vectors, smp_exception, smp_software, smp_timer, smp_external

    .macro each_register instruction
    \instruction ra, 4 * FRAME_RA(sp)
    \instruction t0, 8(sp)
    \instruction t1, 12(sp)
    \instruction t2, 16(sp)
    \instruction s0, 20(sp)
    \instruction s1, 24(sp)
    \instruction a0, 4 * FRAME_A0(sp)
    \instruction a1, 32(sp)
    \instruction a2, 36(sp)
    \instruction a3, 40(sp)
    \instruction a4, 44(sp)
    \instruction a5, 48(sp)
    \instruction a6, 52(sp)
    \instruction a7, 56(sp)
    \instruction s2, 60(sp)
    \instruction s3, 64(sp)
    \instruction s4, 68(sp)
    \instruction s5, 72(sp)
    \instruction s6, 76(sp)
    \instruction s7, 80(sp)
    \instruction s8, 84(sp)
    \instruction s9, 88(sp)
    \instruction s10, 92(sp)
    \instruction s11, 96(sp)
    \instruction t3, 100(sp)
    \instruction t4, 104(sp)
    \instruction t5, 108(sp)
    \instruction t6, 112(sp)
    .endm

# Saves the task that ran. With `resume` 4, the task continues after its ecall instruction.
    .macro save resume=0
    addi sp, sp, -4 * FRAME_WORDS
    each_register sw
    csrr t0, mepc
    csrr t1, mstatus
    .if \resume
    addi t0, t0, \resume
    .endif
    csrr t2, mscratch
    sw t0, 4 * FRAME_PC(sp)
    sw t1, 4 * FRAME_STATUS(sp)
    lw t2, 0(t2)
    sw sp, 0(t2) # pxTopOfStack, the first member of a control block
    la sp, smp_stack_top
    .endm

# Continues the task that pxCurrentTCBs now names.
    .section .text.smp_resume, "ax", @progbits
    .global smp_resume
    .type smp_resume, @function
smp_resume:
    csrr t2, mscratch
    lw t2, 0(t2)
    lw sp, 0(t2)
    lw t0, 4 * FRAME_PC(sp)
    lw t1, 4 * FRAME_STATUS(sp)
    csrw mepc, t0
    csrw mstatus, t1
    each_register lw
    addi sp, sp, 4 * FRAME_WORDS
    mret
    .size smp_resume, . - smp_resume

# Handles an exception: a yield, or otherwise a fault. Before a fault is reported, only mscratch has
# changed, and it gets its value back.
    .section .text.smp_exception, "ax", @progbits
    .type smp_exception, @function
smp_exception:
    addi sp, sp, -16
    sw t0, 0(sp)
    csrr t0, mcause
    addi t0, t0, -11 # an environment call from machine mode
    bnez t0, 1f
    lw t0, 0(sp)
    addi sp, sp, 16
    save resume=4
    csrr a0, mhartid
    call vTaskSwitchContext
    j smp_resume
1:
    lw t0, 0(sp)
    addi sp, sp, 16
    j arch_fault_entry
    .size smp_exception, . - smp_exception

    .section .text.smp_software, "ax", @progbits
    .type smp_software, @function
smp_software:
    save
    call smp_requested
    j smp_resume
    .size smp_software, . - smp_software

    .section .text.smp_timer, "ax", @progbits
    .type smp_timer, @function
smp_timer:
    save
    call smp_tick
    j smp_resume
    .size smp_timer, . - smp_timer

    .section .text.smp_external, "ax", @progbits
    .type smp_external, @function
smp_external:
    save
    call arch_interrupt_serve
    j smp_resume
    .size smp_external, . - smp_external
