# SPDX-License-Identifier: MIT
#
# Sequences that test the cycle model of Ibex (docs/explanation/cycle-model-ibex.md). The name of a
# sequence's first mark is NAME.LOW-HIGH: the expected cycles from the retirement of the mark's NOP
# to the retirement of the NOP after the sequence, which counts 1. The RTL simulation confirmed
# every number.

.macro mark name
661:
    .pushsection .bench.marks, ""
    .balign 4
    .word 661b
    .asciz "\name"
    .balign 4
    .popsection
    nop
.endm

    .text
    .option norvc
    .globl guest
    .type guest, @function
guest:
    mv s0, ra
    la t0, table
    ori t0, t0, 1
    csrw mtvec, t0
    la a4, word
    li a5, 7
    li a6, 0x02004000 # mtimecmp, a device

    mark "nothing.1-1"
    mark "end"

    mark "arithmetic.5-5"
    add a0, a5, a5
    mul a0, a0, a5
    slli a0, a0, 3
    csrr a1, mepc
    mark "end"

    mark "upper_product.3-3" # 2 + 1
    mulhu a0, a5, a5
    mark "end"

    mark "division.38-38" # 37 + 1
    remu a0, a5, a5
    mark "end"

    mark "load.2-2"
    lw a0, 0(a4)
    mark "end"

    mark "load_use.4-4" # 1 + 2 + 1
    lw a0, 0(a4)
    add a1, a0, a0
    mark "end"

    mark "load_address.6-6" # 1 + 2 + 2 + 1
    lw a0, 4(a4)
    lw a0, 0(a0)
    add a0, a0, a0
    mark "end"

    mark "load_store.4-4" # 1 + 2 + 1: a store also waits for its data
    lw a0, 0(a4)
    sw a0, 0(a4)
    mark "end"

    mark "loads_apart.4-4"
    lw a0, 0(a4)
    lw a1, 4(a4)
    sw a5, 0(a4)
    mark "end"

    mark "device_load.2-2"
    lw a0, 0(a6)
    mark "end"

    mark "device_store.3-3" # 2 + 1
    sw a5, 4(a6)
    mark "end"

    .balign 4
    mark "branch_not_taken.2-2"
    beq a5, zero, 1f
1:  mark "end"

    .balign 4
    mark "branch_taken.3-3" # 1 + 2
    bne a5, zero, 1f
    nop
1:  mark "end"

    .balign 4
    mark "to_a_split.4-4" # 1 + 3
    j 1f
    .option rvc
    c.nop
    .option norvc
1:  mark "end"
    .option rvc
    c.nop
    .option norvc

    .balign 4
    mark "to_half_a_word.4-4" # 1 + 2 + 1
    j 1f
    .option rvc
    c.nop
1:  c.nop
    .option norvc
    mark "end"

    .balign 4
    mark "call_and_return.5-5" # 1 + 2 + 2
    jal function
    mark "end"

    .balign 4
    mark "fence.2-2"
    fence
    mark "end"

    .balign 4
    mark "instruction_fence.3-3" # 1 + 2
    fence.i
    mark "end"

    mark "may_unmask.5-5" # 1 + 3 + 1
    csrsi mstatus, 0x10
    csrci mstatus, 0x10
    mark "end"

    mark "protection.4-4" # 1 + 3
    csrw pmpaddr3, zero
    mark "end"

    # ECALL takes 1, the table's jump 3, the handler's instructions after it 2 + 1 + 1 + 1, the NOP
    # after MRET 3.
    .balign 4
    mark "call.12-12"
    ecall
    mark "end"

    # As for ECALL, but the handler's first instruction retires 4 cycles after the NOP, because the
    # faulting instruction does not retire.
    .balign 4
    mark "illegal.12-12"
    .word 0
    mark "end"

    # The first load takes 1. The second waits for its address 1 and faults 1. The answer of memory
    # comes one cycle later: 4, and one more if memory protection gave the answer. The hardware
    # takes 15 here.
    .balign 4
    mark "load_fault.15-16"
    lw a0, 8(a4)
    lw a0, 0(a0)
    mark "end"

    # The hardware takes 14 for either access.
    la a7, guarded
    srli t0, a7, 2
    csrw pmpaddr0, t0
    li t0, 0x90
    csrw pmpcfg0, t0 # locks these four bytes without any permission

    .balign 4
    mark "refused_load.13-14"
    lw a0, 0(a7)
    mark "end"

    .balign 4
    mark "refused_store.13-14"
    sw a5, 0(a7)
    mark "end"
    jr s0

    .balign 4
function:
    ret

    .balign 256
table:
    j handler
handler:
    csrr t1, mepc
    addi t1, t1, 4
    csrw mepc, t1
    mret

    .globl trap
trap:
    j trap

    .data
    .balign 4
word:
    .word 1, word, 0x18000000
guarded:
    .word 0
