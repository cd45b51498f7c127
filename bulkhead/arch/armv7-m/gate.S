// SPDX-License-Identifier: MIT
//
// The shortest cases of a call into another process and of its answer: the server waits, or has
// only this client. core/gate.c handles all other cases and defines the service.
//
// One thread takes the place and the priority of the other in the ready queue, so the queue does
// not change otherwise. The words stay in r8 to r11. r0: the gate; r1: the frame; lr: EXC_RETURN;
// SP: the kernel's state.
//
// The floating-point registers are saved before any state changes: if their stack fails, the thread
// ends without having called.

#include "function.inc"
#include "layout.h"
#include <regions.inc>
#include <unit.inc>

    .syntax unified
    .thumb
    .text

// Puts r3: to at the place of r2: from among the ready threads. Spoils r4 to r7 and lr, which are
// saved.
.macro TAKE_PLACE level
    str r3, [\level]
    ldr r6, [r2, #THREAD_NEXT]
    cmp r6, r2
    beq 2f
    bl take_ring_place
2:
.endm

// Does so in the ring of threads of this priority. r6: the next one.
take_ring_place:
    ldr r7, [r2, #THREAD_PREVIOUS]
    strd r6, r7, [r3, #THREAD_NEXT]
    str r3, [r6, #THREAD_PREVIOUS]
    str r3, [r7, #THREAD_NEXT]
    strd r2, r2, [r2, #THREAD_NEXT]
    bx lr

FUNCTION gate_receive_answering
    ldr r2, [sp, #KERNEL_CURRENT]
    ldr r3, [r2, #THREAD_CLIENT]
    cbz r3, 1f
    ldr r12, [r3, #THREAD_STATE]
    cmp r12, #THREAD_STATE_CALLS
    bne 1f
    stmia r2, {r1, r4-r11, lr}
    tst lr, #EXC_RETURN_BASIC_FRAME
    beq arch_fpu_save_in_answer
    .global arch_fpu_saved_in_answer
arch_fpu_saved_in_answer:
    ldr r4, [r2, #THREAD_LEVEL]
    TAKE_PLACE r4
    movs r4, #THREAD_STATE_RECEIVES
    str r4, [r2, #THREAD_STATE]
    movs r4, #0
    str r4, [r2, #THREAD_CLIENT]
    strd r4, r4, [r3, #THREAD_STATE] // and the gate that it called
    ldr r12, [r3]
    b hand_over
1:  b enter_gate_receive

FUNCTION gate_call_idle
    ldr r3, [r0, #GATE_SERVER]
    ldr r2, [sp, #KERNEL_CURRENT]
    ldr r12, [r3, #THREAD_STATE]
    cmp r12, #THREAD_STATE_RECEIVES
    bne 1f
    stmia r2, {r1, r4-r11, lr}
    tst lr, #EXC_RETURN_BASIC_FRAME
    beq arch_fpu_save_in_call
    .global arch_fpu_saved_in_call
arch_fpu_saved_in_call:
    ldrd r4, r5, [r2, #THREAD_LEVEL] // and the priority mask
    strd r4, r5, [r3, #THREAD_LEVEL]
    TAKE_PLACE r4
    movs r4, #THREAD_STATE_CALLS
    strd r4, r0, [r2, #THREAD_STATE] // and the gate that it calls
    movs r4, #0
    str r4, [r3, #THREAD_STATE]
    str r2, [r3, #THREAD_CLIENT]
    ldr r12, [r3]
    str r2, [r12, #FRAME_R3]

// r2: from, with its registers saved; r3: to, commonly in another process; r12: its stack pointer.
hand_over:
    SET_CURRENT r3
    ldr r5, [r3, #THREAD_PROCESS]
    MPU_ADDRESS r1
    str r5, [sp, #KERNEL_PROCESS]
    PROCESS_REGIONS r5, r1
    add r2, r2, #CONTEXT_WORDS
    ldmia r2, {r8-r11}
    STACK_REGION r3, r1, r4, r5
    adds r0, r3, #4
    msr psp, r12
    REGIONS_COMPLETE
    ldmia r0, {r4-r7}
    ldr pc, [r0, #CONTEXT_RESUME - 4]
1:  b enter_gate_call

    .ltorg
