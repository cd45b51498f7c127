# SPDX-License-Identifier: MIT
#
# The way into the kernel and out of it, the same for all schedulers.
#
# For its caller, a call is a function call: it need not preserve the registers that a C function
# does not preserve, so only ra, sp and pc are saved. The C handler preserves s0 … s11; they are
# saved and loaded only if another thread runs next. An interrupt first saves all registers that C
# does not preserve.
#
# mscratch holds the running thread. There are no nested traps, so one stack a node is enough, and
# it is empty at each entry. Ibex has vectored traps only: slot 0 for exceptions, slot n for
# interrupt n (Ibex user manual, "Exceptions and Interrupts").

#include "kept.inc"
#include "protection.inc"
#include "scheduler.inc"

#define STACK_BYTES 1024

    .bss
    .balign 16
    .space STACK_BYTES
kernel_stack:

    .macro enter_kernel_stack
    lui sp, %hi(kernel_stack)
    addi sp, sp, %lo(kernel_stack)
    .endm

# Loads the registers that a call preserves, except those that C code preserves.
    .macro load_call thread
    lw t1, THREAD_PC(\thread)
    lw ra, THREAD_RA(\thread)
    csrw mepc, t1
    lw sp, THREAD_SP(\thread)
    .endm

    .section .text.kernel_entry, "ax"
    .option norelax
    .balign 256
    .globl kernel_vectors
    .option push
    .option norvc
kernel_vectors:
    j call
    .rept 2
    j unexpected
    .endr
    j software
    .rept 3
    j unexpected
    .endr
    j timer
    .rept 3
    j unexpected
    .endr
    j external
    .rept 20
    j unexpected
    .endr
    .option pop

# A call: a7 has its number in the upper half, a0 its argument; each may have any value. ECALL is
# never compressed.
    .balign 4
call:
    csrr t2, mcause
    addi t2, t2, -CAUSE_CALL
    bnez t2, fault
    scheduler_call
    csrr t0, mscratch
    csrr t1, mepc
    srli a2, a7, CALL_SHIFT - 2
    sw ra, THREAD_RA(t0)
    lui t2, %hi(calls)
    andi a2, a2, 4 * (CALLS - 1)
    addi t1, t1, 4
    add t2, t2, a2
    srli a2, a2, 2
    sw t1, THREAD_PC(t0)
    lw t2, %lo(calls)(t2)
    sw sp, THREAD_SP(t0)
    enter_kernel_stack
    mv a1, t0
    jalr t2

# a0: the thread to run; mscratch names the thread that called.
call_end:
    csrr t0, mscratch
    bne a0, t0, switch
    load_call t0
    scheduler_return
    lw a0, THREAD_A(t0)
    mret

    scheduler_paths

    .balign 4
switch:
    save_kept t0

# a0: the thread to run. The thread that ran before is saved.
    .globl kernel_resume
kernel_resume:
    lw t1, THREAD_PC(a0)
    lw t2, THREAD_INTERRUPTED(a0)
    csrw mscratch, a0
    csrw mepc, t1
    protection_switch a0
    bnez t2, resume_interrupted
    load_kept a0
    lw ra, THREAD_RA(a0)
    lw sp, THREAD_SP(a0)
    protection_clear
    lw a0, THREAD_A(a0)
    mret

# Defines the entry of an interrupt, which first saves all registers that C code does not preserve.
    .macro interrupt handler
    .balign 4
    csrrw t0, mscratch, t0
    sw t1, THREAD_T+4(t0)
    lui t1, %hi(\handler)
    addi t1, t1, %lo(\handler)
    j interrupted
    .endm

software:
    interrupt interrupt_software
timer:
    interrupt interrupt_timer
external:
    interrupt interrupt_external

    .balign 4
interrupted:
    sw ra, THREAD_RA(t0)
    sw sp, THREAD_SP(t0)
    sw a0, THREAD_A(t0)
    sw a1, THREAD_A+4(t0)
    sw a2, THREAD_A+8(t0)
    sw a3, THREAD_A+12(t0)
    sw a4, THREAD_A+16(t0)
    sw a5, THREAD_A+20(t0)
    sw a6, THREAD_A+24(t0)
    sw a7, THREAD_A+28(t0)
    csrrw a1, mscratch, t0
    csrr a2, mepc
    sw t2, THREAD_T+8(t0)
    sw t3, THREAD_T+12(t0)
    sw t4, THREAD_T+16(t0)
    sw t5, THREAD_T+20(t0)
    sw t6, THREAD_T+24(t0)
    sw a1, THREAD_T(t0)
    sw a2, THREAD_PC(t0)
    enter_kernel_stack
    mv a0, t0
    jalr t1
    csrr t0, mscratch
    beq a0, t0, load_lost
    li t1, 1
    sw t1, THREAD_INTERRUPTED(t0)
    j switch

    .balign 4
resume_interrupted:
    sw zero, THREAD_INTERRUPTED(a0)
    load_kept a0
load_lost:
    load_call a0
    lw t0, THREAD_T(a0)
    lw t1, THREAD_T+4(a0)
    lw t2, THREAD_T+8(a0)
    lw t3, THREAD_T+12(a0)
    lw t4, THREAD_T+16(a0)
    lw t5, THREAD_T+20(a0)
    lw t6, THREAD_T+24(a0)
    lw a1, THREAD_A+4(a0)
    lw a2, THREAD_A+8(a0)
    lw a3, THREAD_A+12(a0)
    lw a4, THREAD_A+16(a0)
    lw a5, THREAD_A+20(a0)
    lw a6, THREAD_A+24(a0)
    lw a7, THREAD_A+28(a0)
    lw a0, THREAD_A(a0)
    mret

# A task violated its rights: kernel_fault reports and ends the task, and returns the thread to run.
    .balign 4
fault:
    csrr a0, mcause
    csrr a1, mepc
    csrr a2, mscratch
    enter_kernel_stack
    call kernel_fault
    j kernel_resume

unexpected:
    j unexpected
