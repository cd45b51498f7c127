// SPDX-License-Identifier: MIT
//
// The loop of the keeper, the thread of the lowest priority (keeper.c): it fills all registers with
// a secret value and compares them.

#include "secrets.inc"

FUNCTION keeper_main
    ldr r4, =SECRET
    .irp name, r1, r2, r3, r5, r6, r7, r8, r9, r10, r11, r12, lr
    mov \name, r4
    .endr
    FLOATING FILL
1:  movs r0, #0
    .irp name, r1, r2, r3, r5, r6, r7, r8, r9, r10, r11, r12, lr
    COUNT \name
    .endr
    FLOATING COUNT_FLOATING
    cbnz r0, 2f
    mov r0, r4
    ldr r1, =keeper_rounds
    ldr r2, [r1]
    adds r2, r2, #1
    str r2, [r1]
    mov r1, r4
    mov r2, r4
    mov r12, r4
    b 1b
2:  ldr r1, =keeper_wrong
    str r0, [r1]
    b 2b
