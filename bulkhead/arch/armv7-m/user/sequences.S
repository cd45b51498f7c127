// SPDX-License-Identifier: MIT
//
// Send and receive on a local queue (a queue of one process), in user space, as restartable
// sequences.
//
// A sequence reads, computes, copies, and commits with its last store. The kernel restarts a thread
// that it stopped inside a sequence at the first instruction (rewind, entry.S): the thread then
// sees the changes that other threads made to the queue meanwhile, and copies its message again. So
// a sequence keeps the registers that it begins with, and the store that commits is its last
// instruction. LDREX and STREX do not suffice, because the copy of the message is part of the
// atomic operation. Only threads of the process use the queue; interrupts do not.
//
// The arguments are those of local.h: r0 the queue, r1 the message, r2 the timeout. A call that has
// to wait continues in C with the same arguments.

#include "../function.inc"
#include <bulkhead/methods.h>

    .syntax unified
    .thumb
    .text

// Members of struct bulkhead_queue: head, tail, capacity, mask, message_bytes, buffer, waited;
// loaded into registers from r3 on.
    .equ TAIL, 4

// Copies r7 bytes, a multiple of 4, from \from to \to: 16 bytes at a time, and the rest at \words.
// Overwrites r3, r5, r6 and lr.
.macro COPY from, to, words
1:  subs r7, r7, #16
    blo \words
    ldmia \from!, {r3, r5, r6, lr}
    stmia \to!, {r3, r5, r6, lr}
    bhi 1b
.endm

.macro COPY_WORDS from, to, commit
    adds r7, r7, #16
1:  ldr r3, [\from], #4
    str r3, [\to], #4
    subs r7, r7, #4
    bne 1b
    b \commit
.endm

    .global bulkhead_sequences_start, bulkhead_sequences_end
bulkhead_sequences_start:

FUNCTION bulkhead_local_queue_send
    push {r4-r9, lr}
send:
    ldmia r0, {r3-r9}
    subs r3, r4, r3
    cmp r3, r5
    bhs send_slowly
    and r6, r6, r4
    mla r8, r6, r7, r8
    mov r12, r1
    COPY r12, r8, send_words
send_commit:
    adds r4, r4, #1
    str r4, [r0, #TAIL]
send_end:
    movs r0, r9
    bne bulkhead_queue_wake
    pop {r4-r9, pc}
send_words:
    COPY_WORDS r12, r8, send_commit
send_words_end:

FUNCTION bulkhead_local_queue_receive
    push {r4-r9, lr}
receive:
    ldmia r0, {r3-r9}
    cmp r3, r4
    beq receive_slowly
    and r6, r6, r3
    mla r8, r6, r7, r8
    mov r12, r1
    mov r4, r3
    COPY r8, r12, receive_words
receive_commit:
    adds r4, r4, #1
    str r4, [r0]
receive_end:
    movs r0, r9
    bne bulkhead_queue_wake
    pop {r4-r9, pc}
receive_words:
    COPY_WORDS r8, r12, receive_commit
receive_words_end:
bulkhead_sequences_end:

// Wakes the threads that wait for the queue; the operation itself is complete. r0: the handle of
// the queue, not 0.
bulkhead_queue_wake:
    mov r1, r0
    movs r2, #BULKHEAD_LOCAL_QUEUE_WAKE
    svc 0
    movs r0, #0 // BULKHEAD_OK
    pop {r4-r9, pc}

send_slowly:
    pop {r4-r9, lr}
    b bulkhead_local_queue_send_wait

receive_slowly:
    pop {r4-r9, lr}
    b bulkhead_local_queue_receive_wait

// The table of sequences. Each row has the first instruction, the end, and the address to restart
// at.
    .section .rodata.bulkhead_sequence_table, "a", %progbits
    .balign 4
    .global bulkhead_sequence_table, bulkhead_sequence_table_end
bulkhead_sequence_table:
    .word send, send_end, send
    .word send_words, send_words_end, send
    .word receive, receive_end, receive
    .word receive_words, receive_words_end, receive
bulkhead_sequence_table_end:
