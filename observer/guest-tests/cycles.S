// SPDX-License-Identifier: MIT
//
// Tests the rules of the cycle model, each by a sequence between two marks. The expected cycles are
// derived by hand from the rules, low and high end, and are part of the first mark's name, beside
// the instructions. They hold for a Cortex-M4F with memory without wait states.
//
// Section numbers without a document refer to DDI 0439D. P is the refill after a taken branch: 1 to
// 2 if the target is issued in decode, 2 to 3 if in execute (3.3.1; DDI 0337G 15.3). A sequence
// that branches over instructions ends with the one cycle of a NOP, the target of the branch.

    .syntax unified
    .thumb

    .macro mark name
661:
    .pushsection .bench.marks,"",%progbits
    .balign 4
    .word 661b
    .asciz "\name"
    .balign 4
    .popsection
    .endm

// Begins a sequence at a word boundary, after 16-bit NOPs, with which nothing overlaps.
    .macro begin name, low, high
    .balign 4
    nop
    nop
    mark "\name\().\low-\high"
    .endm

    .macro end
    mark "end"
    nop
    .endm

    .section .bss
    .balign 8
words:
    .space 64

    .text
    .global guest
    .type guest, %function
guest:
    push {r4-r11, lr}
    movw r4, #:lower16:words
    movt r4, #:upper16:words
    add r5, r4, #32
    movs r6, #0
    movs r1, #3
    str r4, [r4]
    bl data_processing
    bl loads_and_stores
    bl several_words
    bl branches
    bl conditions
    bl barriers
    bl exceptions
    bl floating_point
    pop {r4-r11, pc}

    .type data_processing, %function
data_processing:
    begin "alu", 3, 3 // one each (3.3.1)
    adds r0, r0, r1
    lsls r2, r0, #3
    eor.w r3, r2, r0, ror #7
    end
    begin "split-fetch", 4, 5 // one each; the third across two words may wait (DDI 0337G 12.3)
    nop
    mov.w r0, r1
    mov.w r0, r1
    mov.w r0, r1
    end
    begin "multiply", 3, 3 // one each (3.3.1)
    mul r0, r1, r1
    mla r0, r1, r1, r2
    umull r0, r2, r1, r1
    end
    begin "divide", 2, 12 // 2 to 12, by the operands (3.3.1)
    udiv r0, r5, r1
    end
    bx lr

    .type loads_and_stores, %function
loads_and_stores:
    begin "load", 2, 2 // (3.3.1)
    ldr r0, [r4]
    end
    begin "load.paired", 3, 4 // 2; 1 if it overlaps, else 2 (3.3.2)
    ldr r0, [r4]
    ldr r2, [r5]
    end
    begin "load.dependent", 4, 4 // 2 + 2: the address is the first one's result (3.3.2)
    ldr r0, [r4]
    ldr r2, [r0]
    end
    begin "load.computed", 3, 4 // 1 + 2; one more if the address is not forwarded (3.3.2)
    adds r0, r4, #4
    ldr r2, [r0]
    end
    begin "load.literal", 2, 3 // 2; one more if fetches contend (3.3.2)
    ldr.w r0, =0x12345678
    end
    begin "load.exclusive", 3, 4 // as two loads (3.3.2)
    ldrex r0, [r4]
    strex r2, r0, [r4]
    end
    begin "store", 1, 1 // the data is written during the next instruction (3.3.2)
    str r0, [r5, #4]
    end
    begin "store.register-offset", 2, 2 // (3.3.1)
    str r0, [r5, r6]
    end
    begin "store.after-load", 3, 3 // 2 + 1 (3.3.2)
    ldr r0, [r4]
    str r2, [r5]
    end
    bx lr
    .ltorg

    .type several_words, %function
several_words:
    begin "ldm", 4, 4 // 1 + 3 registers (3.3.1)
    ldm r5, {r0, r2, r3}
    end
    begin "stm", 4, 4 // 1 + 3 registers
    stm r5, {r0, r2, r3}
    end
    begin "ldrd", 3, 3 // 1 + 2 registers
    ldrd r2, r3, [r5]
    end
    begin "strd", 3, 3 // 1 + 2 registers
    strd r2, r3, [r5]
    end
    begin "push-pop", 10, 10 // 1 + 4 registers, twice
    push {r0-r3}
    pop {r0-r3}
    end
    bx lr

    .type branches, %function
branches:
    push {r4, lr}
    movs r0, #0
    begin "branch.taken", 3, 4 // 1 + early P, and the NOP
    beq 1f
    nop
1:  nop
    end
    begin "branch.not-taken", 2, 2 // 1, and the NOP (3.3.1)
    bne 1f
    nop
1:  end
    begin "branch.split-target", 3, 5 // 1 + early P + 1; one more: the MOV.W lies across two words
    b 1f
1:  mov.w r0, r1
    end
    begin "branch.compare", 4, 5 // 1 + late P, and the NOP
    cbz r6, 1f
    nop
1:  nop
    end
    adr.w r0, 1f
    adds r0, #1
    begin "branch.register", 4, 5 // 1 + late P, and the NOP
    bx r0
    nop
    .balign 4
1:  nop
    end
    adr.w r0, offsets
    begin "branch.table", 6, 7 // 2 for the load, 1 to add (3.3.2), late P, and the NOP
    tbb [r0, r6]
    nop
    nop
    end
    begin "call-return", 6, 8 // 1 + early P, the callee's NOP, 1 + early P, and the NOP
    bl leaf
    nop
    end
    begin "call-pop", 11, 13 // 1 + early P, 1 + 2, 1 + 2 + late P, and the NOP
    bl saving
    nop
    end
    pop {r4, pc}
    .balign 4
offsets:
    .byte 1 // in halfwords from the instruction after TBB
    .balign 4
    .type leaf, %function
leaf:
    nop
    bx lr
    .balign 4
    .type saving, %function
saving:
    push {r4, lr}
    pop {r4, pc}

    .type conditions, %function
conditions:
    begin "it.folded", 2, 3 // 1 + (0 or 1 after 16 bits) + 1 (3.3.1)
    cmp r6, #0
    it eq
    moveq r0, r1
    end
    begin "it.skipped-load", 3, 3 // 1 + 1 after 32 bits + 1 for the skipped load (3.3.1)
    cmp.w r6, #0
    it ne
    ldrne r0, [r4]
    end
    begin "it.load", 3, 4 // 1 + 1 + 2, or 1 if the load overlaps, which the rule leaves open
    cmp.w r6, #0
    it eq
    ldreq r0, [r4]
    end
    begin "it.store", 3, 3 // 1 + 1 + 1
    cmp.w r6, #0
    it eq
    streq r0, [r5]
    end
    begin "it.divide", 3, 14 // 1 + 1 + (1 to 12): whether it is skipped is unknown
    cmp.w r6, #0
    it ne
    udivne r0, r5, r1
    end
    bx lr

    .type barriers, %function
barriers:
    begin "dmb", 1, 4 // 1 + B, 0 to 3 (3.3.1, 3.5)
    dmb
    end
    begin "dsb", 1, 4 // as DMB
    dsb
    end
    begin "isb", 3, 4 // 1 + late P (3.3.1)
    isb
    end
    begin "cps", 2, 4 // 1 to 2 each (3.3.1)
    cpsid i
    cpsie i
    end
    begin "msr", 2, 4 // 1 to 2 each (3.3.1)
    mrs r0, basepri
    msr basepri, r0
    end
    bx lr

    .type exceptions, %function
exceptions:
    movw r0, #0xED04 // ICSR
    movt r0, #0xE000
    movs r1, #0
    begin "svc", 24, 28 // SVC 1, entry 10 to 12 (3.9.1), 1 + 1, exit 10 to 12, and the NOP
    svc #0
    nop
    end
    mov r1, #1 << 28 // PENDSVSET
    begin "tail-chain", 31, 35 // as "svc", with 6 to chain (3.9.1) and PendSV's BX
    svc #0
    nop
    end
    bx lr

    .type floating_point, %function
floating_point:
    movw r0, #0xED88 // CPACR
    movt r0, #0xE000
    mov r1, #0xF << 20
    str r1, [r0]
    dsb
    isb
    begin "float.add", 1, 2 // one more if the next instruction uses the result (7.2.3)
    vadd.f32 s0, s1, s2
    end
    begin "float.multiply-add", 3, 4 // as VADD
    vmla.f32 s0, s1, s2
    end
    begin "float.divide", 2, 16 // 1 to 15 (7.2.3), and the NOP
    vdiv.f32 s0, s1, s2
    nop
    end
    begin "float.move", 1, 2 // 2 by 7.2.3, 1 as measured
    vmov r0, s0
    end
    begin "float.load", 2, 2 // 1 + 1 word (7.2.3)
    vldr s0, [r5]
    end
    begin "vldm", 5, 5 // 1 + 4 words
    vldm r5, {s0-s3}
    end
    begin "vpush-vpop", 10, 10 // 1 + 4 words, twice
    vpush {s0-s3}
    vpop {s0-s3}
    end
    movw r0, #0xED04 // ICSR
    movt r0, #0xE000
    movs r1, #0
    begin "svc.float", 24, 62 // as "svc"; up to 17 more at the entry and at the exit (3.9.1)
    svc #0
    nop
    end
    bx lr

// Pends the exception that the caller selected in R1.
    .global SVC_Handler
    .type SVC_Handler, %function
SVC_Handler:
    str r1, [r0]
    bx lr

    .global PendSV_Handler
    .type PendSV_Handler, %function
PendSV_Handler:
    bx lr
