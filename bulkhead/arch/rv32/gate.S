// SPDX-License-Identifier: MIT
//
// The fast paths of a call into another process and of the answer. The path of the call needs a
// server that waits, the path of the answer a server with no other client, and both need that no
// other thread of the same priority is ready. core/gate.c handles all other cases and defines the
// service.
//
// The thread that runs next replaces the current thread in the ready queue, at the priority of the
// current thread, so the queue does not change otherwise. The words of the call stay in a4 to a7.
// t0: the current thread; t1: the gate; SP: the top of the kernel's stack.

#include "optional.h"
#include "layout.h"
#include "save.inc"
#include <regions.inc>

    .text

// Calls a function in C with a0, and preserves t1 and the words. Loads t0 again.
.macro CALL_WITH_WORDS function
    sw a4, FRAME_A4(t0)
    sw a5, FRAME_A5(t0)
    sw a6, FRAME_A6(t0)
    sw a7, FRAME_A7(t0)
    sw ra, FRAME_RA(t0)
    addi sp, sp, -16
    sw t1, 0(sp)
    jal \function
    lw t1, 0(sp)
    addi sp, sp, 16
    lw t0, KERNEL_CURRENT(sp)
    lw a4, FRAME_A4(t0)
    lw a5, FRAME_A5(t0)
    lw a6, FRAME_A6(t0)
    lw a7, FRAME_A7(t0)
    lw ra, FRAME_RA(t0)
.endm

FUNCTION gate_receive_answering
    lw t5, THREAD_CLIENT(t0)
    beqz t5, 1f
    lw t3, THREAD_STATE(t5)
    li t4, THREAD_STATE_CALLS
    bne t3, t4, 2f
    lw t3, THREAD_NEXT(t0)
    bne t3, t0, 1f
answer:
    mv a0, t5
    sw zero, FRAME_A0(t0)
    sw ra, FRAME_RA(t0)
    lw t3, THREAD_LEVEL(t0)
    sw a0, 0(t3)
    li t3, THREAD_STATE_RECEIVES
    sw t3, THREAD_STATE(t0)
    sw zero, THREAD_CLIENT(t0)
    sw zero, THREAD_STATE(a0)
    sw zero, THREAD_STATE + 4(a0) // clears the gate that the thread called
    j hand_over
// The client waits with a timeout, so its timer is disarmed first.
2:  li t4, THREAD_STATE_CALLS | THREAD_STATE_TIMED
    bne t3, t4, 1f
    lw t3, THREAD_NEXT(t0)
    bne t3, t0, 1f
    addi a0, t5, THREAD_TIMER
    CALL_WITH_WORDS kernel_disarm
    lw t5, THREAD_CLIENT(t0)
    j answer
1:  j enter_gate_receive

// A timed call to an idle server. BULKHEAD_FOREVER does not limit the wait for the answer, and
// BULKHEAD_NO_WAIT limits only the wait for the server: both continue at gate_call_idle.
FUNCTION gate_call_timed_idle
    lw t5, GATE_SERVER(t1)
    lw t3, THREAD_STATE(t5)
    li t4, THREAD_STATE_RECEIVES
    bne t3, t4, 1f
    lw t3, THREAD_NEXT(t0)
    bne t3, t0, 1f
    blez a2, gate_call_idle
    mv a0, a2
    CALL_WITH_WORDS thread_arm
    lw t5, GATE_SERVER(t1)
    li t4, THREAD_STATE_CALLS | THREAD_STATE_TIMED
    j call_server
1:  j enter_gate_call_timed

FUNCTION gate_call_idle
    lw t5, GATE_SERVER(t1)
    lw t3, THREAD_STATE(t5)
    li t4, THREAD_STATE_RECEIVES
    bne t3, t4, 1f
    lw t3, THREAD_NEXT(t0)
    bne t3, t0, 1f
    li t4, THREAD_STATE_CALLS
// t4: the state of the caller while it waits for the answer.
call_server:
    sw zero, FRAME_A0(t0)
    sw ra, FRAME_RA(t0)
    mv a0, t5
    sw t4, THREAD_STATE(t0)
    lw t3, THREAD_LEVEL(t0)
    lw t4, THREAD_PRIORITY_MASK(t0)
    sw t3, THREAD_LEVEL(a0)
    sw t4, THREAD_PRIORITY_MASK(a0)
    sw a0, 0(t3)
    sw t1, THREAD_STATE + 4(t0) // sets the gate that the thread calls
    sw zero, THREAD_STATE(a0)
    sw t0, THREAD_CLIENT(a0)
    sw t0, FRAME_A2(a0)

// Switches from the thread t0 to the thread a0, commonly in another process. If a0 was stopped in a
// method in C, its exit loads all registers from its frame, so the words are stored to the frame.
hand_over:
    SAVE_PLACE t0, 4
    SAVE_PRESERVED t0
    lw t1, FRAME_IS_WHOLE(a0)
    beqz t1, 2f
    sw a4, FRAME_A4(a0)
    sw a5, FRAME_A5(a0)
    sw a6, FRAME_A6(a0)
    sw a7, FRAME_A7(a0)
2:
    HOOK_THREAD(a0)
    lw t2, THREAD_PROCESS(a0)
    HOOK_PROCESS(t2)
    sw a0, KERNEL_CURRENT(sp)
    sw t2, KERNEL_PROCESS(sp)
    STACK_REGION a0, t0
    PROCESS_REGIONS t2
    CLEAR_CLOBBERED
    j arch_restore
1:  j enter_gate_call
