# SPDX-License-Identifier: MIT
#
# The assembler code of banks.c: code that runs in several banks of registers, and the task switches
# that banks.c measures. A switch does what a kernel's switch does, except choosing the next task
# (bulkhead/nodes/common/entry.S): in a call it keeps 14 registers and the PC, in an interrupt 29
# registers and the PC. Tasks do not own gp and tp. Tasks run in machine mode. mscratch has the
# address of the context of the running task.

#define SELECTED -4 // offset from register 0 of the word that selects the bank
#define NEXT 0      // offsets in a context. Here: the address of the other context
#define BANK 4
#define PC 8
#define KEPT 12     // ra, sp, s0 ... s11
#define LOST 68     // a0 ... a7, t0 ... t6
#define CONTEXT_BYTES 128
#define SOFTWARE_INTERRUPT 0x02000000

    .option norvc
    .text

# --- Fill and compare the registers of a bank. The caller's registers are in bank 0.
    .macro fill bank
    .irp r, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, \
            25, 26, 27, 28, 29, 30, 31
    li x\r, 32 * \bank + \r
    .endr
    .endm

    .macro compare bank
    .irp r, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, \
            25, 26, 27, 28, 29, 30, 31
    addi x\r, x\r, -(32 * \bank + \r)
    .endr
    .irp r, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, \
            25, 26, 27, 28, 29, 30, 31
    or x1, x1, x\r
    .endr
    .endm

# Runs the code of `in_bank` for the bank in a0.
    .macro in_each_bank
    .irp bank, 1, 2, 3, 4, 5, 6, 7
    li t0, \bank
    bne a0, t0, 1f
    sw t0, SELECTED(zero)
    in_bank \bank
    sw zero, SELECTED(zero)
    ret
1:
    .endr
    .endm

    .macro in_bank bank
    fill \bank
    .endm
    .globl banks_fill
banks_fill:
    in_each_bank

# Compares the registers of a bank, and then fills them again.
    .purgem in_bank
    .macro in_bank bank
    compare \bank
    lui x2, %hi(result)
    sw x1, %lo(result)(x2)
    fill \bank
    .endm
    .globl banks_compare
banks_compare:
    in_each_bank

    .globl banks_select
banks_select:
    sw a0, SELECTED(zero)
    li t3, 2 // the next load's encoding has t3 where a store has its data: it must store nothing
    lw t1, SELECTED(zero)
    lw t1, SELECTED(zero)
    lui t0, %hi(result)
    sw t1, %lo(result)(t0)
    sw zero, SELECTED(zero)
    ret

    .globl banks_store_as_task
banks_store_as_task:
    la t0, task_vectors
    ori t0, t0, 1
    csrrw t2, mtvec, t0
    la t0, 1f
    csrw mepc, t0
    li t0, 0x1800
    csrc mstatus, t0
    mret
1:  sw a0, SELECTED(zero)
    ecall

    .balign 256
task_vectors:
    csrw mtvec, t2
    csrr a0, mcause
    ret

# --- The switches.
    .macro each_kept operation, context
    \operation ra, KEPT(\context)
    \operation sp, KEPT+4(\context)
    \operation s0, KEPT+8(\context)
    \operation s1, KEPT+12(\context)
    \operation s2, KEPT+16(\context)
    \operation s3, KEPT+20(\context)
    \operation s4, KEPT+24(\context)
    \operation s5, KEPT+28(\context)
    \operation s6, KEPT+32(\context)
    \operation s7, KEPT+36(\context)
    \operation s8, KEPT+40(\context)
    \operation s9, KEPT+44(\context)
    \operation s10, KEPT+48(\context)
    \operation s11, KEPT+52(\context)
    .endm

# Stores or loads the registers that a C call may change, except t0.
    .macro each_lost operation, context
    \operation a0, LOST(\context)
    \operation a1, LOST+4(\context)
    \operation a2, LOST+8(\context)
    \operation a3, LOST+12(\context)
    \operation a4, LOST+16(\context)
    \operation a5, LOST+20(\context)
    \operation a6, LOST+24(\context)
    \operation a7, LOST+28(\context)
    \operation t1, LOST+32(\context)
    \operation t2, LOST+36(\context)
    \operation t3, LOST+40(\context)
    \operation t4, LOST+44(\context)
    \operation t5, LOST+48(\context)
    \operation t6, LOST+52(\context)
    .endm

call_saved:
    csrr t0, mscratch
    csrr t1, mepc
    addi t1, t1, 4
    each_kept sw, t0
    sw t1, PC(t0)
    lw t0, NEXT(t0)
    lw t1, PC(t0)
    csrw mscratch, t0
    csrw mepc, t1
    each_kept lw, t0
    mret

# Switches banks after a call. A task that has called keeps its PC in t1 of its own bank.
call_banked:
    csrr t0, mscratch
    csrr t1, mepc
    lw t0, NEXT(t0)
    addi t1, t1, 4
    csrw mscratch, t0
    lw t0, BANK(t0)
    sw t0, SELECTED(zero)
    csrw mepc, t1
    mret

interrupt_saved:
    csrrw t0, mscratch, t0
    each_kept sw, t0
    each_lost sw, t0
    csrrw t1, mscratch, t0
    csrr t2, mepc
    sw t1, LOST+56(t0)
    sw t2, PC(t0)
    lui t3, SOFTWARE_INTERRUPT >> 12
    sw zero, 0(t3)
    lw t0, NEXT(t0)
    lw t1, PC(t0)
    csrw mscratch, t0
    csrw mepc, t1
    each_kept lw, t0
    each_lost lw, t0
    lw t0, LOST+56(t0)
    mret

# Switches banks after an interrupt. The handler runs in bank 0, which no task uses.
interrupt_banked:
    sw zero, SELECTED(zero)
    csrr t0, mscratch
    csrr t1, mepc
    lui t3, SOFTWARE_INTERRUPT >> 12
    sw t1, PC(t0)
    sw zero, 0(t3)
    lw t0, NEXT(t0)
    lw t1, PC(t0)
    lw t2, BANK(t0)
    csrw mscratch, t0
    csrw mepc, t1
    sw t2, SELECTED(zero)
    mret

# --- The measurement: task a switches to task b, which switches back. The result is the number of
# cycles between reading the cycle counter in a, before the switch, and reading it in b, after it.
    .macro cause interrupt
    .if \interrupt
    sw s1, 0(s2)
    .else
    ecall
    .endif
    .endm

    .macro prepare_task
    li s1, 1
    lui s2, SOFTWARE_INTERRUPT >> 12
    .endm

    .macro measure name, banked, interrupt, call_handler, interrupt_handler
    .balign 256
\name\()_vectors:
    j \call_handler
    .rept 2
    j .
    .endr
    j \interrupt_handler
    .rept 28
    j .
    .endr

\name:
    csrr t2, mtvec
    la t0, caller
    each_kept sw, t0
    sw t2, PC(t0)
    la t0, \name\()_vectors
    ori t0, t0, 1
    csrw mtvec, t0
    la t0, context_a
    la t1, context_b
    sw t1, NEXT(t0)
    sw t0, NEXT(t1)
    la t2, \name\()_b
    sw t2, PC(t1)
    csrw mscratch, t0
    li t2, 1
    sw t2, BANK(t0)
    li t3, 2
    sw t3, BANK(t1)
    csrwi mie, 8
    li t0, 0x1880
    csrs mstatus, t0
    la t0, \name\()_a
    csrw mepc, t0
    .if \banked
    sw t3, SELECTED(zero)
    la t1, \name\()_b
    sw zero, SELECTED(zero)
    sw t2, SELECTED(zero)
    .endif
    mret

    .balign 16
\name\()_a:
    prepare_task
    csrr s0, mcycle
    cause \interrupt
    la t0, result
    lw t1, 0(t0)
    sub t1, t1, s0
    addi t1, t1, -1
    sw t1, 0(t0)
    .if \banked
    sw zero, SELECTED(zero)
    .endif
    csrci mstatus, 8
    csrwi mie, 0
    la t0, caller
    each_kept lw, t0
    lw t1, PC(t0)
    csrw mtvec, t1
    la t0, result
    lw a0, 0(t0)
    ret

    .balign 16
\name\()_b:
    csrr s0, mcycle
    la t0, result
    sw s0, 0(t0)
    prepare_task
    cause \interrupt
    j .
    .endm

    measure call_with_memory, 0, 0, call_saved, .
    measure call_with_banks, 1, 0, call_banked, .
    measure interrupt_with_memory, 0, 1, ., interrupt_saved
    measure interrupt_with_banks, 1, 1, ., interrupt_banked

    .globl banks_cycles_of_call
banks_cycles_of_call:
    beqz a0, 1f
    j call_with_banks
1:  j call_with_memory

    .globl banks_cycles_of_interrupt
banks_cycles_of_interrupt:
    beqz a0, 1f
    j interrupt_with_banks
1:  j interrupt_with_memory

    .bss
    .balign 4
    .globl result
result:
    .space 4
caller:
    .space CONTEXT_BYTES
context_a:
    .space CONTEXT_BYTES
context_b:
    .space CONTEXT_BYTES
