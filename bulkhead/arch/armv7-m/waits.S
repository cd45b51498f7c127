// SPDX-License-Identifier: MIT
//
// The shortest cases of calls that switch: the caller wakes a thread above all ready threads, or
// blocks without a timeout. The C function that follows handles all other cases, and its comment
// defines the service; no case here has another effect than that function.
//
// r0: the object; r1: the frame, which is also the stack pointer that the switch saves; lr:
// EXC_RETURN; SP: the kernel's state.

#include "function.inc"
#include "layout.h"
#include <highest.inc>

    .syntax unified
    .thumb
    .text

// --- Calls that wake a thread --------------------------------------------------------------------

FUNCTION thread_notify_listening
    ldr r2, [r0, #THREAD_STATE]
    cmp r2, #THREAD_STATE_LISTENS
    bne 1f
    ldr r2, [r0, #THREAD_TIMER_PLACE]
    cbz r2, make_ready
1:  b enter_thread_notify

FUNCTION thread_resume_suspended
    ldr r2, [r0, #THREAD_STATE]
    cmp r2, #THREAD_STATE_SUSPENDED
    beq make_ready
    b enter_thread_resume

// Takes r3, the first waiter of r0, a semaphore, out of its list. The waiter has no equal and no
// timeout, and is not suspended; otherwise continues at `other`, with nothing changed. The count is
// negative while a thread waits. r0 becomes the waiter; spoils r2, r3 and r12.
.macro TAKE_FIRST_WAITER other
    ldrd r3, r12, [r0, #SEMAPHORE_WAITERS] // and the address of the count
    cbz r3, \other
    ldr r2, [r12]
    cmp r2, #0
    bge \other
    ldr r2, [r3, #THREAD_STATE]
    cmp r2, #THREAD_STATE_WAITS
    bne \other
    ldr r2, [r3, #THREAD_TIMER_PLACE]
    cbnz r2, \other
    ldr r2, [r3, #THREAD_NEXT]
    cmp r2, r3
    bne \other
    ldr r2, [r3, #THREAD_WAIT_LOWER]
    str r2, [r0, #SEMAPHORE_WAITERS]
    cbnz r2, 1001f
    str r2, [r12] // no thread waits now
1001:
    mov r0, r3
    movs r3, #0
    str r3, [r0, #THREAD_WAITS_IN]
.endm

FUNCTION local_semaphore_give
    TAKE_FIRST_WAITER 2f
// r0: a thread that is in no list. Switches to it if it is above all ready threads.
make_ready:
    movs r3, #0
    str r3, [r0, #THREAD_STATE]
    READY_ADD_ABOVE sp, not_above
    ldr r2, [sp, #KERNEL_CURRENT]
    b switch
not_above:
    b thread_make_ready
2:  b enter_semaphore_give

// --- Interrupts that wake a thread ---------------------------------------------------------------

FUNCTION arch_interrupt_posts
    TAKE_FIRST_WAITER 2f
    str r3, [r0, #THREAD_STATE]
    ldr r1, =kernel
    READY_ADD_ABOVE r1, not_above
    ldr r2, =ICSR
    mov r3, #ICSR_PENDSVSET
    str r3, [r2]
    bx lr
2:  b kernel_interrupt_posts

// --- Calls that block ----------------------------------------------------------------------------

FUNCTION thread_suspend_self
    ldr r2, [sp, #KERNEL_CURRENT]
    cmp r0, r2
    bne 1f
    movs r3, #THREAD_STATE_SUSPENDED
    b block
1:  b enter_thread_suspend

FUNCTION self_notification_wait_none
    ldr r2, [sp, #KERNEL_CURRENT]
    ldr r3, [r2, #THREAD_NOTIFICATIONS]
    cbnz r3, 1f
    ldr r3, [r1, #FRAME_R3]
    adds r3, r3, #1 // BULKHEAD_FOREVER
    bne 2f
    movs r3, #THREAD_STATE_LISTENS
    b block
1:  subs r3, r3, #1
    str r3, [r2, #THREAD_NOTIFICATIONS]
    bx lr
2:  b enter_self_notification_wait

FUNCTION semaphore_take_empty
    ldrd r2, r3, [r0, #SEMAPHORE_WAITERS] // and the address of the count
    cbnz r2, 1f
    ldr r12, [r3]
    cmp r12, #0
    bgt 1f
    ldr r12, [r1, #FRAME_R3]
    adds r12, r12, #1 // BULKHEAD_FOREVER
    bne 1f
    mov r12, #-1 // BULKHEAD_SEMAPHORE_WAITED
    str r12, [r3]
    mov r3, r2
    ldr r2, [sp, #KERNEL_CURRENT]
    str r2, [r0, #SEMAPHORE_WAITERS]!
    str r3, [r2, #THREAD_WAIT_LOWER]
    str r0, [r2, #THREAD_WAITS_IN]
    movs r3, #THREAD_STATE_WAITS
    b block
1:  b enter_semaphore_take

// r2: the current thread; r3: its state from now on. Switches to the highest ready thread.
block:
    str r3, [r2, #THREAD_STATE]
    ldr r0, [r2, #THREAD_NEXT]
    cmp r0, r2
    bne 1f
    READY_REMOVE_ALONE
    b switch
1:  ldr r3, [r2, #THREAD_LEVEL]
    str r0, [r3]
    ldr r3, [r2, #THREAD_PREVIOUS]
    str r3, [r0, #THREAD_PREVIOUS]
    str r0, [r3, #THREAD_NEXT]
    strd r2, r2, [r2, #THREAD_NEXT] // and the previous one
    b switch

    .ltorg
