# SPDX-License-Identifier: MIT
#
# Start-up of the observer's RV32 guests: stack, trap vectors, guest, end of the run. The vectors
# are in vectored mode, the only mode that Ibex supports: entry 0 takes exceptions, entry n
# interrupt n. Each entry calls trap(mcause, mepc), which returns the mepc at which to continue.

    .section .text.start, "ax"
    .globl _start
_start:
    la sp, stack_top
    la t0, vectors
    ori t0, t0, 1
    csrw mtvec, t0
    call guest

# A store to the exit register of `virt` at 0x00100000 ends the run.
    .globl finish
    .type finish, @function
finish:
    .pushsection .bench.marks, ""
    .word finish
    .asciz "finish"
    .balign 4
    .popsection
    lui t0, 0x100
    li t1, 0x5555
    sw t1, 0(t0)
    j .

    .balign 256
    .option norvc
vectors:
    .rept 32
    j trap_entry
    .endr
    .option rvc

trap_entry:
    addi sp, sp, -80
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
    csrr t0, mstatus
    sw t0, 64(sp)
    call trap
    lw t0, 64(sp)
    csrw mstatus, t0
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
    addi sp, sp, 80
    mret
