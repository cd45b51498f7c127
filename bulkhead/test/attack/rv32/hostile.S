// SPDX-License-Identifier: MIT
//
// The hostile instructions of the attacker, one routine for each. a0: the address that the routine
// attacks; a1 to a3: values. A routine returns only if nothing stopped the attack.

#include "order.h"
#include <test/function.inc>

    .text
    .option norelax

// --- Tables: the order of the variants -----------------------------------------------------------

    .balign 4
    .global hostile_loads, hostile_stores, hostile_stacks, hostile_privileges
hostile_loads:
    .word load_byte, load_byte_unsigned, load_half, load_half_unsigned, load_word
    .word load_word_compressed, load_four, load_pop
hostile_stores:
    .word store_byte, store_half, store_word, store_word_compressed, store_four, store_push
hostile_stacks:
    .word stack_call, stack_spin, stack_undefined, stack_fault
hostile_privileges:
    .word machine_return, supervisor_return, machine_status, machine_status_read, modify_privilege
    .word trap_vector, trap_scratch, trap_scratch_read, trap_place, interrupts, protection
    .word protection_address, supervisor_root, cycles, undefined, undefined_compressed, breakpoint
    .word atomic, floating, debug, wait, fence

// --- Loads by the attacker -----------------------------------------------------------------------

FUNCTION load_byte
    lb a1, 0(a0)
    ret
FUNCTION load_byte_unsigned
    lbu a1, 0(a0)
    ret
FUNCTION load_half
    lh a1, 0(a0)
    ret
FUNCTION load_half_unsigned
    lhu a1, 0(a0)
    ret
FUNCTION load_word
    .option push
    .option norvc
    lw a1, 0(a0)
    .option pop
    ret
FUNCTION load_word_compressed
    c.lw a1, 0(a0)
    ret
FUNCTION load_four
    lw a1, 0(a0)
    lw a2, 4(a0)
    lw a3, 8(a0)
    lw a4, 12(a0)
    ret
FUNCTION load_pop
    mv t0, sp
    mv sp, a0
    lw a1, 0(sp)
    lw a2, 4(sp)
    mv sp, t0
    ret

// --- Stores by the attacker ----------------------------------------------------------------------

FUNCTION store_byte
    sb a1, 0(a0)
    ret
FUNCTION store_half
    sh a1, 0(a0)
    ret
FUNCTION store_word
    .option push
    .option norvc
    sw a1, 0(a0)
    .option pop
    ret
FUNCTION store_word_compressed
    c.sw a1, 0(a0)
    ret
FUNCTION store_four
    sw a1, 0(a0)
    sw a2, 4(a0)
    sw a3, 8(a0)
    sw a1, 12(a0)
    ret
FUNCTION store_push
    mv t0, sp
    mv sp, a0
    addi sp, sp, -8
    sw a1, 4(sp)
    sw a2, 0(sp)
    mv sp, t0
    ret

// --- Calls ---------------------------------------------------------------------------------------

// Loads or stores each register except x2 and x31. The words at base + offset are in the order of
// the registers' numbers, beginning with x1.
.macro REGISTERS instruction, base, offset
    .irp number, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
    \instruction x\number, (\offset + 4 * (\number - 1))(\base)
    .endr
    .irp number, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
    \instruction x\number, (\offset + 4 * (\number - 1))(\base)
    .endr
.endm

.macro ENTER
    addi sp, sp, -64
    PRESERVED sw
.endm

.macro LEAVE
    PRESERVED lw
    addi sp, sp, 64
    ret
.endm

.macro ORDERED_CALL
    la x31, order
    REGISTERS lw, x31, ORDER_REGISTERS
    lw x31, (ORDER_REGISTERS + 4 * 30)(x31)
    ecall
.endm

// Makes a system call with every register set as the order says, and stores the registers after the
// call.
FUNCTION hostile_call
    ENTER
    ORDERED_CALL
    addi sp, sp, -128
    REGISTERS sw, sp, 0
    sw zero, 4(sp)
    sw x31, 120(sp)
    la t0, order + ORDER_AFTER
    li t1, CORE_REGISTERS
1:  lw t2, 0(sp)
    sw t2, 0(t0)
    addi sp, sp, 4
    addi t0, t0, 4
    addi t1, t1, -1
    bnez t1, 1b
    addi sp, sp, 128 - 4 * CORE_REGISTERS
    LEAVE

// Calls another process, and stores the registers after the call.
FUNCTION hostile_look
    j hostile_call

// --- A stack pointer with any value --------------------------------------------------------------

.macro ENTER_STACK
    ENTER
    la t0, order
    sw sp, ORDER_MACHINE(t0)
    mv sp, a0
.endm

.macro LEAVE_STACK
    la t0, order
    lw sp, ORDER_MACHINE(t0)
    LEAVE
.endm

FUNCTION stack_call
    ENTER_STACK
    ORDERED_CALL
    LEAVE_STACK
FUNCTION stack_spin
    ENTER_STACK
1:  j 1b
FUNCTION stack_undefined
    ENTER_STACK
    unimp
    LEAVE_STACK
FUNCTION stack_fault
    ENTER_STACK
    sw zero, 0(zero)
    LEAVE_STACK

// --- Waiting -------------------------------------------------------------------------------------

// There is nothing to forge: the kernel saves no part of a waiting thread's context in memory of
// its process.
FUNCTION hostile_wait
    ret

// --- Privileged instructions ---------------------------------------------------------------------

FUNCTION machine_return
    mret
FUNCTION supervisor_return
    .word 0x10200073 // SRET
FUNCTION machine_status
    li a1, 0x1888
    csrs mstatus, a1
    ret
FUNCTION machine_status_read
    csrr a1, mstatus
    ret
FUNCTION modify_privilege
    li a1, 0x21800 // MPRV, MPP
    csrs mstatus, a1
    ret
FUNCTION trap_vector
    csrw mtvec, a0
    ret
FUNCTION trap_scratch
    csrw mscratch, a0
    ret
FUNCTION trap_scratch_read
    csrr a1, mscratch
    ret
FUNCTION trap_place
    csrw mepc, a0
    ret
FUNCTION interrupts
    csrw mie, zero
    ret
FUNCTION protection
    csrw pmpcfg0, zero
    ret
FUNCTION protection_address
    li a1, -1
    csrw pmpaddr2, a1
    ret
FUNCTION supervisor_root
    csrw satp, a0
    ret
FUNCTION cycles
    csrr a1, cycle
    ret
FUNCTION undefined
    .word 0xFFFFFFFF
FUNCTION undefined_compressed
    .half 0
    ret
FUNCTION breakpoint
    ebreak
    ret
FUNCTION atomic
    .word 0x1005252F // LR.W a0, (a0)
    ret
FUNCTION floating
    .word 0x00052007 // FLW f0, 0(a0)
    ret
FUNCTION debug
    .word 0x7B200073 // DRET
FUNCTION wait
    wfi
    ret
FUNCTION fence
    .word 0x0000100F // FENCE.I
    ret

// --- Start of a thread ---------------------------------------------------------------------------

// Checks the registers at the start of a thread: they must have no values of other threads.
FUNCTION attacker_main
    .irp number, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    or ra, ra, x\number
    .endr
    .irp number, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    or ra, ra, x\number
    .endr
    la t0, order
    sw ra, ORDER_LEAKED(t0)
    j attacker_loop
