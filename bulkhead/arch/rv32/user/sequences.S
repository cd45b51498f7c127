// SPDX-License-Identifier: MIT
//
// Calls on local objects (objects of one process), in user space, as restartable sequences.
//
// A sequence reads, computes, copies, and commits with its last store. The kernel restarts a thread
// that it stopped inside a sequence at the first instruction (rewind, entry.S): the thread then
// sees the changes that other threads made meanwhile, and copies its message again. So a sequence
// keeps the registers that it begins with, and the store that commits is its last instruction. Only
// threads of the process use the objects; interrupts do not. RV32IMC has no LR and SC, so there is
// no alternative.
//
// The arguments are those of local.h. A call that has to wait continues in C with the same
// arguments.

#include "save.inc"
#if __has_include(<kernel_features.h>)
#include <kernel_features.h>
#endif
#ifndef KERNEL_HAS_LOGS
#define KERNEL_HAS_LOGS 0
#endif
#include <bulkhead/methods.h>

    .text

// Members of struct bulkhead_semaphore, bulkhead_mutex and bulkhead_flags; their word is the first
// member.
    .equ SEMAPHORE_MAXIMUM, 4
// Members of struct bulkhead_pool.
    .equ POOL_START, 4
    .equ POOL_BYTES, 8
// Members of struct bulkhead_queue.
    .equ QUEUE_HEAD, 0
    .equ QUEUE_TAIL, 4
    .equ QUEUE_CAPACITY, 8
    .equ QUEUE_MASK, 12
    .equ QUEUE_MESSAGE_BYTES, 16
    .equ QUEUE_BUFFER, 20
    .equ QUEUE_WAITED, 24
// Members of struct bulkhead_page.
    .equ PAGE_TICKS, 4

    .equ REFUSED, 2

// Ends a sequence after the store that commits: adds a row with its first instruction and its end
// to the table. A sequence has the name of its first instruction.
.macro COMMIT sequence
    .pushsection .rodata.bulkhead_sequence_table, "a", %progbits
    .word \sequence, 1f
    .popsection
1:
.endm

.macro SUCCEED
    li a0, 0 // BULKHEAD_OK
    ret
.endm

    .section .rodata.bulkhead_sequence_table, "a", %progbits
    .balign 4
    .global bulkhead_sequence_table
bulkhead_sequence_table:

    .text
    .global bulkhead_sequences_start, bulkhead_sequences_end
bulkhead_sequences_start:

// --- Semaphores, mutexes and flags ---------------------------------------------------------------

FUNCTION bulkhead_local_semaphore_take
    lw t0, 0(a0)
    addi t0, t0, -1
    bltz t0, 9f
    sw t0, 0(a0)
    COMMIT bulkhead_local_semaphore_take
    SUCCEED
9:  tail bulkhead_local_semaphore_wait

// A negative count is above any maximum when compared as an unsigned number, so one comparison
// finds both a full semaphore and one with waiters.
FUNCTION bulkhead_local_semaphore_give
    lw t0, 0(a0)
    lhu t1, SEMAPHORE_MAXIMUM(a0)
    bgeu t0, t1, 9f
    addi t0, t0, 1
    sw t0, 0(a0)
    COMMIT bulkhead_local_semaphore_give
    SUCCEED
9:  tail bulkhead_local_semaphore_wake

FUNCTION bulkhead_local_mutex_lock
    lw t0, 0(a0)
    lw t1, bulkhead_page
    bnez t0, 9f
    sw t1, 0(a0)
    COMMIT bulkhead_local_mutex_lock
    SUCCEED
9:  tail bulkhead_local_mutex_wait

FUNCTION bulkhead_local_mutex_unlock
    lw t0, 0(a0)
    lw t1, bulkhead_page
    bne t0, t1, 9f
    sw zero, 0(a0)
    COMMIT bulkhead_local_mutex_unlock
    SUCCEED
9:  tail bulkhead_local_mutex_wake

#if KERNEL_HAS_LOGS
FUNCTION bulkhead_log_claim
    lw t0, 0(a0)
    lw t2, bulkhead_page + PAGE_TICKS
    addi t1, t0, 1
    sw t1, 0(a0)
    COMMIT bulkhead_log_claim
    sw t2, 0(a1)
    mv a0, t0
    ret
#endif

// BULKHEAD_FLAGS_WAITED is the sign bit.
FUNCTION bulkhead_local_flags_set
    lw t0, 0(a0)
    bltz t0, 9f
    or t0, t0, a1
    sw t0, 0(a0)
    COMMIT bulkhead_local_flags_set
    SUCCEED
9:  tail bulkhead_local_flags_set_waited

FUNCTION bulkhead_local_flags_clear
    lw t0, 0(a0)
    bltz t0, 9f
    not t1, a1
    and t0, t0, t1
    sw t0, 0(a0)
    COMMIT bulkhead_local_flags_clear
    SUCCEED
9:  tail bulkhead_local_flags_clear_waited

// Ends `sequence` by clearing flags. t0: the former word of the flags; t1: the flags to clear.
.macro TAKE sequence
    not t1, t1
    and t1, t0, t1
    sw t1, 0(a0)
    COMMIT \sequence
    slli t0, t0, 1
    srli t0, t0, 1
    sw t0, 0(a1)
    SUCCEED
.endm

FUNCTION bulkhead_local_flags_take_any
    lw t0, 0(a0)
    lw t1, 0(a1)
    and t2, t0, t1
    beqz t2, 9f
    TAKE bulkhead_local_flags_take_any
9:  tail bulkhead_local_flags_take_any_wait

FUNCTION bulkhead_local_flags_take_all
    lw t0, 0(a0)
    lw t1, 0(a1)
    not t2, t0
    and t2, t2, t1
    bnez t2, 9f
    TAKE bulkhead_local_flags_take_all
9:  tail bulkhead_local_flags_take_all_wait

// --- Pools ---------------------------------------------------------------------------------------

FUNCTION bulkhead_local_pool_take
    lw t0, 0(a0)
    beqz t0, 9f
    lw t1, 0(t0)
    sw t1, 0(a0)
    COMMIT bulkhead_local_pool_take
9:  mv a0, t0
    ret

// Refuses an address outside the pool. Does not test whether the address is an allocated block,
// because such an error harms only the process itself.
FUNCTION bulkhead_local_pool_free
    lw t0, POOL_START(a0)
    lw t1, POOL_BYTES(a0)
    sub t0, a1, t0
    bgeu t0, t1, 9f
    lw t0, 0(a0)
    sw t0, 0(a1)
    sw a1, 0(a0)
    COMMIT bulkhead_local_pool_free
    SUCCEED
9:  li a0, REFUSED
    ret

// --- Queues --------------------------------------------------------------------------------------

// Loads the members of a queue. t0: head; t1: tail; t2: capacity; t3: mask; t4: bytes of a message;
// t5: buffer; t6: waited.
.macro QUEUE
    lw t0, QUEUE_HEAD(a0)
    lw t1, QUEUE_TAIL(a0)
    lw t2, QUEUE_CAPACITY(a0)
    lw t3, QUEUE_MASK(a0)
    lw t4, QUEUE_MESSAGE_BYTES(a0)
    lw t5, QUEUE_BUFFER(a0)
    lw t6, QUEUE_WAITED(a0)
.endm

// Sets t5 to the address in the buffer of message number `number`.
.macro PLACE number
    and t3, t3, \number
    mul t3, t3, t4
    add t5, t5, t3
.endm

// Copies t4 bytes, a multiple of 4, from t2 to t3: 16 bytes at a time, then 4. Overwrites a3 to a6.
.macro COPY
2:  addi t4, t4, -16
    bltz t4, 3f
    lw a3, 0(t2)
    lw a4, 4(t2)
    lw a5, 8(t2)
    lw a6, 12(t2)
    sw a3, 0(t3)
    sw a4, 4(t3)
    sw a5, 8(t3)
    sw a6, 12(t3)
    addi t2, t2, 16
    addi t3, t3, 16
    bnez t4, 2b
    j 5f
3:  addi t4, t4, 16
4:  lw a3, 0(t2)
    sw a3, 0(t3)
    addi t2, t2, 4
    addi t3, t3, 4
    addi t4, t4, -4
    bnez t4, 4b
5:
.endm

FUNCTION bulkhead_local_queue_send
    QUEUE
    sub t0, t1, t0
    bgeu t0, t2, 9f
    PLACE t1
    mv t2, a1
    mv t3, t5
    COPY
    addi t1, t1, 1
    sw t1, QUEUE_TAIL(a0)
    COMMIT bulkhead_local_queue_send
    bnez t6, wake
    SUCCEED
9:  tail bulkhead_local_queue_send_wait

FUNCTION bulkhead_local_queue_receive
    QUEUE
    beq t0, t1, 9f
    PLACE t0
    mv t2, t5
    mv t3, a1
    COPY
    addi t0, t0, 1
    sw t0, QUEUE_HEAD(a0)
    COMMIT bulkhead_local_queue_receive
    bnez t6, wake
    SUCCEED
9:  tail bulkhead_local_queue_receive_wait
bulkhead_sequences_end:

// Wakes the threads that wait for the queue; the operation itself is complete. t6: the handle of
// the queue.
wake:
    slli a0, t6, 3 // scaled by BULKHEAD_HANDLE_SCALE
    li a1, 4 * BULKHEAD_LOCAL_QUEUE_WAKE // scaled by BULKHEAD_METHOD_SCALE
    ecall
    SUCCEED

    .section .rodata.bulkhead_sequence_table, "a", %progbits
    .global bulkhead_sequence_table_end
bulkhead_sequence_table_end:
