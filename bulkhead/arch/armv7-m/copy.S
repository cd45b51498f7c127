// SPDX-License-Identifier: MIT
//
// Copies between a thread's memory and the kernel's, with the thread's rights: LDRT and STRT (DDI
// 0403E, A7.7.67 and A7.7.167). Nothing else in the kernel dereferences an address from a thread,
// but for the copies of a lease (options/lease.c). An access that the MPU refuses faults, and the
// fault handler continues at arch_copy_refused (fault.c). So the copies are leaf functions and keep
// lr: the return address of a function, or EXC_RETURN if the copy is a part of the entry itself
// (queue_send_four, queue.inc).
//
// The copies refuse an address that is not a multiple of 4. So each access lies within
// one region, and an emulator that checks the first byte alone (QEMU 7.2) checks all of it.
//
// Copies four words at a time, then the rest. r0: to; r1: from; r2: words. Returns whether it
// copied all words.

    .syntax unified
    .thumb
    .text

    .global arch_copy_in
    .thumb_func
    .type arch_copy_in, %function
arch_copy_in:
    tst r1, #3
    bne 5f
    subs r2, r2, #4
    blo 2f
1:  ldrt r3, [r1]
    ldrt r12, [r1, #4]
    strd r3, r12, [r0], #8
    ldrt r3, [r1, #8]
    ldrt r12, [r1, #12]
    strd r3, r12, [r0], #8
    add r1, r1, #16
    subs r2, r2, #4
    bhs 1b
2:  adds r2, r2, #4
    beq 4f
3:  ldrt r3, [r1]
    add r1, r1, #4
    str r3, [r0], #4
    subs r2, r2, #1
    bne 3b
4:  movs r0, #1
    bx lr

    .global arch_copy_out
    .thumb_func
    .type arch_copy_out, %function
arch_copy_out:
    tst r0, #3
    bne 5f
    subs r2, r2, #4
    blo 2f
1:  ldrd r3, r12, [r1], #8
    strt r3, [r0]
    strt r12, [r0, #4]
    ldrd r3, r12, [r1], #8
    strt r3, [r0, #8]
    strt r12, [r0, #12]
    add r0, r0, #16
    subs r2, r2, #4
    bhs 1b
2:  adds r2, r2, #4
    beq 4f
3:  ldr r3, [r1], #4
    strt r3, [r0]
    add r0, r0, #4
    subs r2, r2, #1
    bne 3b
4:  movs r0, #1
    bx lr

    .global arch_copy_refused
    .thumb_func
    .type arch_copy_refused, %function
arch_copy_refused:
    cmn lr, #256 // sets Z if lr is an EXC_RETURN value, which is above every code address
    bhs 1f
5:  movs r0, #0
    bx lr
1:  mrs r1, psp
    b enter_queue_refuse
