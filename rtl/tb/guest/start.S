# SPDX-License-Identifier: MIT
#
# Start-up of the test programs: sets the stack and the trap vector, and calls main. The memory of a
# simulated node and of QEMU is zero before the image is loaded, so .bss is not cleared. All traps
# enter trap_entry. Ibex has only the vectored mode, in which exceptions enter at entry 0 and
# interrupts at entries 3, 7 and 11, so each of the 32 entries jumps there.

    .section .text.start, "ax"
    .option norelax
    .globl _start
_start:
    la sp, __stack_top
    la t0, vectors
    ori t0, t0, 1
    csrw mtvec, t0
    call main
    j .

    .balign 256
    .option norvc
vectors:
    .rept 32
    j trap_entry
    .endr

# Calls trap(mcause, mepc), which returns the address at which to continue. Saves the registers that
# a C function may change.
trap_entry:
    addi sp, sp, -64
    sw ra, 0(sp)
    sw t0, 4(sp)
    sw t1, 8(sp)
    sw t2, 12(sp)
    sw a0, 16(sp)
    sw a1, 20(sp)
    sw a2, 24(sp)
    sw a3, 28(sp)
    sw a4, 32(sp)
    sw a5, 36(sp)
    sw a6, 40(sp)
    sw a7, 44(sp)
    sw t3, 48(sp)
    sw t4, 52(sp)
    sw t5, 56(sp)
    sw t6, 60(sp)
    csrr a0, mcause
    csrr a1, mepc
    call trap
    csrw mepc, a0
    lw ra, 0(sp)
    lw t0, 4(sp)
    lw t1, 8(sp)
    lw t2, 12(sp)
    lw a0, 16(sp)
    lw a1, 20(sp)
    lw a2, 24(sp)
    lw a3, 28(sp)
    lw a4, 32(sp)
    lw a5, 36(sp)
    lw a6, 40(sp)
    lw a7, 44(sp)
    lw t3, 48(sp)
    lw t4, 52(sp)
    lw t5, 56(sp)
    lw t6, 60(sp)
    addi sp, sp, 64
    mret
