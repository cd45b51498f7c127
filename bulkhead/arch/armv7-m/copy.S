// SPDX-License-Identifier: MIT
//
// Copies words between a thread's memory and the kernel's, with the thread's rights, by LDRT and
// STRT (DDI 0403E, A7.7.67 and A7.7.167). No other code in the kernel dereferences an address from
// a thread, except the copies of a lease (options/lease.c). An access that the MPU refuses faults,
// and the fault handler continues at arch_copy_refused (fault.c). So the copies are leaf functions
// and keep lr: the return address of a function, or EXC_RETURN if the copy is a part of the entry
// itself (queue_send_four, queue.inc).
//
// The copies refuse an address that is not a multiple of 4. So each access lies within
// one region, and an emulator that checks the first byte alone (QEMU 7.2) checks all of it.
//
// Copies four words at a time, then the rest. r0: to; r1: from; r2: words. Returns whether it
// copied all words.

#include "optional.h"

    .syntax unified
    .thumb
    .text

    .global arch_copy_in
    .thumb_func
    .type arch_copy_in, %function
arch_copy_in:
    tst r1, #3
    bne not_copied
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
    bne not_copied
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

#if KERNEL_HAS_LEASES
// Copies for a lease, with the kernel's rights. r0: to; r1: from; r2: bytes. Copies words if all
// three are multiples of 4. Returns false if the bus has refused an access: the fault handler
// continues at arch_copy_refused for each instruction from arch_copy_lent_start up to
// arch_copy_lent_end. The core may report a store that the bus refuses some instructions later
// (IMPRECISERR), but not after the barriers.
    .global arch_copy_lent, arch_copy_lent_start, arch_copy_lent_end
    .type arch_copy_lent, %function
    .thumb_func
arch_copy_lent:
    orr r3, r0, r1
    orr r3, r3, r2
    tst r3, #3
    bne 4f
    subs r2, r2, #16
    blo 2f
arch_copy_lent_start:
1:  ldrd r3, r12, [r1], #8
    strd r3, r12, [r0], #8
    ldrd r3, r12, [r1], #8
    strd r3, r12, [r0], #8
    subs r2, r2, #16
    bhs 1b
2:  adds r2, r2, #16
    beq 5f
3:  ldr r3, [r1], #4
    str r3, [r0], #4
    subs r2, r2, #4
    bne 3b
    b 5f
4:  ldrb r3, [r1], #1
    strb r3, [r0], #1
    subs r2, r2, #1
    bne 4b
5:  dsb
    isb
    movs r0, #1
arch_copy_lent_end:
    bx lr
    .size arch_copy_lent, . - arch_copy_lent
#endif

    .global arch_copy_refused
    .thumb_func
    .type arch_copy_refused, %function
arch_copy_refused:
    cmn lr, #256 // sets Z if lr is an EXC_RETURN value, which is above every code address
    bhs 1f
not_copied:
    movs r0, #0
    bx lr
1:  mrs r1, psp
    b enter_queue_refuse
