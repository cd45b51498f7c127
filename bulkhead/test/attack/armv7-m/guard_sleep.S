// SPDX-License-Identifier: MIT
//
// The sleep of the guard, the thread of the highest priority (guard.c), with a secret value in
// every register.

#include "secrets.inc"
#include <bulkhead/methods.h>

// Sleeps for a tick. Returns the number of registers that changed during the sleep.
FUNCTION guard_sleep
    push {r4-r11, lr}
    vpush {s16-s31}
    ldr r4, =SECRET
    .irp name, r5, r6, r7, r8, r9, r10, r11, r12, lr
    mov \name, r4
    .endr
    FLOATING FILL
    movs r0, #0 // BULKHEAD_OK
    movs r1, #BULKHEAD_SELF
    movs r2, #BULKHEAD_SELF_DELAY
    movs r3, #1
    svc 0
    ldr r3, =SECRET
    .irp name, r3, r5, r6, r7, r8, r9, r10, r11, r12, lr
    COUNT \name
    .endr
    FLOATING COUNT_FLOATING
    vpop {s16-s31}
    pop {r4-r11, pc}
